import type { CompletionStore, Stores } from '@modelwire/ports';
import { answerParent } from '../child.ts';
import { quantile } from '../statistics.ts';
import { filters } from './filters.ts';
import type { FilterName } from './filters.ts';
import { openStores } from './kinds.ts';
import type { Place } from './kinds.ts';
import { idOf, recordOf } from './records.ts';

/** Questions to the process with the stores of one size. Times are in milliseconds. */
export type StoreQuestion =
  | { readonly do: 'open'; readonly where: Place }
  | { readonly do: 'fill'; readonly until: number; readonly writers: number; readonly ms: number }
  | { readonly do: 'page'; readonly filter: FilterName; readonly size: number; readonly calls: number }
  | { readonly do: 'get'; readonly size: number; readonly calls: number }
  | { readonly do: 'append'; readonly writers: number; readonly calls: number }
  | { readonly do: 'close' };

export interface Filled {
  /** Number of completions. */
  readonly count: number;
  readonly ms: number;
}

export interface Latency {
  readonly p50: number;
  readonly p99: number;
  /** Calls per second. */
  readonly rate: number;
}

/** Slow operations are repeated less often. */
const longestMs = 3000;

let stores: Stores | undefined;
/** Number of the next completion that `append` writes, beyond the numbers that `fill` uses. */
let next = 100_000_000;
let turn = 0;

answerParent(async (asked): Promise<number | Filled | Latency> => {
  const question = asked as StoreQuestion;
  switch (question.do) {
    case 'open': {
      const began = performance.now();
      stores = await openStores(question.where);
      return performance.now() - began;
    }
    case 'fill':
      return fill(question);
    case 'page': {
      const { calls, filter, size } = question;
      return timed(1, calls, () => page(filter, size));
    }
    case 'get': {
      const { calls, size } = question;
      return timed(1, calls, async () => {
        const index = Math.floor(Math.random() * size);
        if (!(await completions().get(idOf(index)))) throw new Error(`completion ${index} is not there`);
      });
    }
    case 'append':
      return timed(question.writers, question.calls, () => completions().append(recordOf(next++)));
    case 'close': {
      const began = performance.now();
      await stores?.close();
      return performance.now() - began;
    }
  }
});

function completions(): CompletionStore {
  if (!stores) throw new Error('the stores are not open');
  return stores.project('default').completions;
}

/** Stops if filling would take longer than `ms`, estimated after a tenth of it. */
async function fill({ until, writers, ms }: StoreQuestion & { readonly do: 'fill' }): Promise<Filled> {
  const store = completions();
  const began = performance.now();
  let count = 0;
  let tooSlow = false;
  const write = async (): Promise<void> => {
    while (count < until && !tooSlow) {
      await store.append(recordOf(count++));
      if (count === until / 10) tooSlow = (performance.now() - began) * 10 > ms;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  return { count, ms: performance.now() - began };
}

/** A random position with at least the 1,000 records after it that every page needs to be full. */
async function page(filter: FilterName, size: number): Promise<void> {
  const after = idOf(Math.floor(Math.random() * (size - 999)));
  const found = await completions().list({ ...filters[filter].of(turn++), after, order: 'asc', limit: 20 });
  // Of 1,000 completions, 20 have a topic.
  if (!found || found.items.length < 19) throw new Error(`a page of ${found?.items.length ?? 0} by ${filter}`);
}

async function timed(callers: number, calls: number, call: () => Promise<void>): Promise<Latency> {
  const latencies: number[] = [];
  const began = performance.now();
  let left = calls;
  const repeat = async (): Promise<void> => {
    while (left-- > 0 && performance.now() - began < longestMs) {
      const asked = performance.now();
      await call();
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: callers }, repeat));
  const rate = (latencies.length * 1000) / (performance.now() - began);
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), rate };
}
