import type { Stores } from '@modelwire/ports';
import { factories } from '@modelwire/testing/factories';
import { answerParent } from '../child.ts';
import { concurrently, range } from '../concurrently.ts';
import { quantile } from '../statistics.ts';
import { openStores } from './kinds.ts';
import type { StoreKind } from './kinds.ts';
import { idOf, models, recordOf, topics } from './records.ts';

export type Subject = 'page' | 'modelPage' | 'pairPage' | 'retrieve' | 'append' | 'batchPage' | 'createBatch' | 'claim';

/** Questions to the process with the stores. */
export type StoreQuestion =
  | { readonly do: 'open'; readonly kind: StoreKind; readonly place: string }
  | { readonly do: 'fill'; readonly what: 'completions' | 'batches'; readonly from: number; readonly to: number }
  | ({ readonly do: 'measure'; readonly subject: Subject; readonly calls: number } & Sizes)
  | ({ readonly do: 'load'; readonly subject: Subject; readonly callers: number; readonly ms: number } & Sizes)
  | { readonly do: 'memory' };

interface Sizes {
  readonly completions: number;
  readonly batches: number;
}

export interface Latency {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Calls of several callers at once. */
export interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

const writers = 64;
let stores: Stores | undefined;
/** Beyond the numbers that `fill` uses, and different in each process. */
let next = 100_000_000 + process.pid * 1_000_000;

answerParent(async (asked): Promise<number | Latency | Load> => {
  const question = asked as StoreQuestion;
  switch (question.do) {
    case 'open':
      stores = await openStores(question.kind, question.place);
      return 0;
    case 'fill':
      return fill(question);
    case 'memory':
      return process.memoryUsage.rss();
    case 'measure': {
      const latencies: number[] = [];
      for (let call = 0; call < question.calls; call++) latencies.push(await timed(question));
      return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
    }
    case 'load': {
      const latencies: number[] = [];
      const started = performance.now();
      const caller = async () => {
        while (performance.now() - started < question.ms) latencies.push(await timed(question));
      };
      await Promise.all(Array.from({ length: question.callers }, caller));
      const perSecond = (1000 * latencies.length) / (performance.now() - started);
      return { perSecond, p99: quantile(latencies, 0.99) };
    }
  }
});

/** Milliseconds of a call. */
async function timed({ subject, ...sizes }: Sizes & { readonly subject: Subject }): Promise<number> {
  const started = performance.now();
  await calls[subject](sizes);
  return performance.now() - started;
}

function opened() {
  if (!stores) throw new Error('the stores are not open');
  return { jobs: stores.jobs, ...stores.project('default') };
}

async function fill({ what, from, to }: StoreQuestion & { readonly do: 'fill' }): Promise<number> {
  const started = performance.now();
  await concurrently(range(from, to), writers, what === 'completions' ? append : createBatch);
  return performance.now() - started;
}

const append = (index: number): Promise<void> => opened().completions.append(recordOf(index));

const newBatch = factories().batch({
  status: 'validating',
  output_file_id: null,
  created_at: 1_700_000_000,
  in_progress_at: null,
  expires_at: 2_000_000_000,
  finalizing_at: null,
  completed_at: null,
  request_counts: { total: 0, completed: 0, failed: 0 },
});

function createBatch(index: number): Promise<void> {
  const created_at = newBatch.created_at + index;
  const batch = { ...newBatch, id: batchIdOf(index), input_file_id: `file-${index}`, created_at };
  return opened().batches.create({ batch, work: { keyId: undefined, outputExpiresAfter: undefined } });
}

const batchIdOf = (index: number): string => `batch_${idOf(index)}`;
/** A random position with a whole page after it. */
const placeIn = (size: number): number => Math.floor(Math.random() * (size - 20));
const pick = (list: readonly string[]): string => list[Math.floor(Math.random() * list.length)] ?? '';

async function completionPage(after: string | undefined, filter: object): Promise<void> {
  const page = await opened().completions.list({ after, order: 'asc', limit: 20, ...filter });
  if (page?.items.length !== 20) throw new Error(`a page of ${page?.items.length ?? 0} completions`);
}

const calls: Record<Subject, (sizes: Sizes) => Promise<void>> = {
  page: ({ completions }) => completionPage(idOf(placeIn(completions)), {}),
  // From the first one: in the smallest store, these filters match few completions.
  modelPage: () => completionPage(undefined, { model: pick(models) }),
  pairPage: () => completionPage(undefined, { metadata: { topic: pick(topics) } }),
  async retrieve({ completions }) {
    if (!(await opened().completions.get(idOf(placeIn(completions))))) throw new Error('a completion is missing');
  },
  append: () => append(next++),
  async batchPage({ batches }) {
    const after = batchIdOf(placeIn(batches));
    const page = await opened().batches.list({ after, order: 'asc', limit: 20 });
    if (page?.items.length !== 20) throw new Error(`a page of ${page?.items.length ?? 0} batches`);
  },
  createBatch: () => createBatch(next++),
  async claim() {
    const { jobs } = opened();
    const lease = await jobs.claim({ kinds: ['batch'], leaseMs: 60_000 });
    if (!lease || !(await jobs.release(lease, { skipAttempt: true }))) throw new Error('a batch was not claimed');
  },
};
