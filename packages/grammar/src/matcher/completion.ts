import { distanceFrom, stepDfa } from '../automaton/dfa.ts';
import type { Steps } from '../steps.ts';
import type { Opening, Return, Thread } from './call-stack.ts';
import type { Frames } from './frames.ts';

/** The next token of the shortest completion; `undefined` if the text can end here. */
export type CompletionStep = { bytes: readonly number[]; then: Return } | undefined;

/** Caches steps: completions are requested repeatedly, and usually differ only in their first step. */
export function createCompletionSteps(open: Frames['open']): (after: Return) => CompletionStep {
  const known = new WeakMap<Return, { step: CompletionStep }>();
  return (after) => {
    let found = known.get(after);
    if (found === undefined) known.set(after, (found = { step: stepOf(open([after])) }));
    return found.step;
  };
}

function stepOf({ threads, canEnd }: Opening): CompletionStep {
  if (canEnd) return undefined;
  const best = nearest(threads);
  return { bytes: restOf(best), then: best.then };
}

/** Tokens of a completion between two yields: about a millisecond. */
const TOKENS_PER_STEP = 500;

/** The bytes of the shortest completion, computed per token instead of per state, because the end can be far. */
export function* completion(from: Opening, stepAfter: (after: Return) => CompletionStep): Steps<Uint8Array> {
  const bytes: number[] = [];
  let tokens = 0;
  for (let step = stepOf(from); step !== undefined; step = stepAfter(step.then)) {
    for (const byte of step.bytes) bytes.push(byte);
    if (++tokens % TOKENS_PER_STEP === 0) yield;
  }
  return Uint8Array.from(bytes);
}

/** The thread on the shortest completion. */
function nearest(threads: readonly Thread[]): Thread {
  let minCost = Infinity;
  let best: Thread | undefined;
  for (const thread of threads) {
    const { dfa, state, then } = thread;
    const distance = distanceFrom(dfa, state);
    // If a token can end here, what follows it is among the threads as well.
    if (distance <= 0 || distance + then.cost >= minCost) continue;
    minCost = distance + then.cost;
    best = thread;
  }
  if (best === undefined) throw new RangeError('no accepting state can be reached from this state');
  return best;
}

/** The shortest rest of a token; of equal lengths the one with the lowest bytes. */
function restOf({ dfa, state }: Thread): number[] {
  const bytes: number[] = [];
  for (let at = state, left = distanceFrom(dfa, state); left > 0; left--) {
    const byte = dfa.samples.find((sample) => {
      const next = stepDfa(dfa, at, sample);
      return next >= 0 && distanceFrom(dfa, next) === left - 1;
    });
    if (byte === undefined) throw new RangeError('no accepting state of the automaton can be reached');
    bytes.push(byte);
    at = stepDfa(dfa, at, byte);
  }
  return bytes;
}
