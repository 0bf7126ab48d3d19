import type { Return, Thread } from './call-stack.ts';

/** Sorts threads by id and removes duplicates, in place. Most lists are already sorted. */
export function sortUnique(threads: Thread[]): void {
  let isSorted = true;
  for (let at = 1; at < threads.length && isSorted; at++) isSorted = idAt(threads, at - 1) < idAt(threads, at);
  if (isSorted) return;
  threads.sort((a, b) => a.id - b.id);
  let count = 0;
  for (const thread of threads) {
    if (count > 0 && idAt(threads, count - 1) === thread.id) continue;
    threads[count++] = thread;
  }
  threads.length = count;
}

function idAt(threads: readonly Thread[], index: number): number {
  return threads[index]?.id ?? 0;
}

/** A hash of a sorted list. It is a small integer, which V8 stores in a map without a heap object. */
export function hashOf(threads: readonly Thread[]): number {
  let hash = 0;
  for (const { id } of threads) hash = Math.imul(hash ^ id, 0x9e3779b1);
  return (hash ^ (hash >>> 15)) >> 1;
}

export function areEqual(one: readonly Thread[], other: readonly Thread[]): boolean {
  return one.length === other.length && one.every((thread, index) => thread === other[index]);
}

/** The distinct return points of the terminals that can end here. */
export function returnsOfEnded(threads: readonly Thread[]): readonly Return[] {
  let found: Return[] | undefined;
  for (const { dfa, state, returnPoint } of threads) if (dfa.accepting[state] === 1) (found ??= []).push(returnPoint);
  if (found === undefined) return NO_RETURNS;
  return found.length < 2 ? found : [...new Set(found)];
}

const NO_RETURNS: readonly Return[] = [];
