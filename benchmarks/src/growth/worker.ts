import type { Stores } from '@modelwire/ports';
import { factories } from '@modelwire/testing/factories';
import { answerParent } from '../child.ts';
import { quantile } from '../statistics.ts';
import { openStores } from '../store/kinds.ts';
import type { Place } from '../store/kinds.ts';
import { idOf, recordOf } from '../store/records.ts';
import { copyCompletions, filledId, written } from './copies.ts';

export type Subject = 'page' | 'append' | 'batchPage' | 'createBatch' | 'claim';

/** Questions to the process with the stores of one size. */
export type GrowthQuestion =
  | { readonly do: 'open'; readonly where: Place }
  | { readonly do: 'fill'; readonly what: 'completions' | 'batches'; readonly from: number; readonly to: number }
  | { readonly do: 'measure'; readonly subject: Subject; readonly size: number; readonly calls: number }
  | { readonly do: 'memory' };

export interface GrowthLatency {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const writers = 64;
const projectId = 'default';
let stores: Stores | undefined;
let where: Place | undefined;
/** Beyond the numbers that `fill` uses. */
let next = 100_000_000;

answerParent(async (asked): Promise<number | GrowthLatency> => {
  const question = asked as GrowthQuestion;
  switch (question.do) {
    case 'open':
      where = question.where;
      stores = await openStores(where);
      return 0;
    case 'fill':
      return fill(question);
    case 'memory':
      return process.memoryUsage.rss();
    case 'measure': {
      const latencies: number[] = [];
      for (let call = 0; call < question.calls; call++) {
        const started = performance.now();
        await calls[question.subject](question.size);
        latencies.push(performance.now() - started);
      }
      return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) };
    }
  }
});

function opened(): Stores {
  if (!stores) throw new Error('the stores are not open');
  return stores;
}

async function fill({ what, from, to }: GrowthQuestion & { readonly do: 'fill' }): Promise<number> {
  if (where && what === 'completions' && from >= written) {
    const started = performance.now();
    await copyCompletions(where, from, to);
    return performance.now() - started;
  }
  const { completions } = opened().project(projectId);
  const started = performance.now();
  let index = from;
  const write = async (): Promise<void> => {
    while (index < to) {
      const one = index++;
      await (what === 'completions' ? completions.append(recordOf(one)) : createBatch(one));
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return performance.now() - started;
}

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
  const work = { keyId: undefined, outputExpiresAfter: undefined };
  return opened().project(projectId).batches.create({ batch, work });
}

const batchIdOf = (index: number): string => `batch_${idOf(index)}`;
/** A random position with a whole page after it. */
const placeIn = (size: number): number => Math.floor(Math.random() * (size - 20));

const calls: Record<Subject, (size: number) => Promise<void>> = {
  async page(size) {
    const after = filledId(placeIn(size));
    const page = await opened().project(projectId).completions.list({ after, order: 'asc', limit: 20 });
    if (page?.items.length !== 20) throw new Error(`a page of ${page?.items.length ?? 0} completions`);
  },
  async append() {
    await opened().project(projectId).completions.append(recordOf(next++));
  },
  async batchPage(size) {
    const after = batchIdOf(placeIn(size));
    const page = await opened().project(projectId).batches.list({ after, order: 'asc', limit: 20 });
    if (page?.items.length !== 20) throw new Error(`a page of ${page?.items.length ?? 0} batches`);
  },
  async createBatch() {
    await createBatch(next++);
  },
  async claim() {
    const { jobs } = opened();
    const lease = await jobs.claim({ kinds: ['batch'], leaseMs: 60_000 });
    if (!lease || !(await jobs.release(lease, { skipAttempt: true }))) throw new Error('a batch was not claimed');
  },
};
