import { distanceFrom, stepDfa } from '../automaton/dfa.ts';
import type { Steps } from '../steps.ts';
import type { Closure, Return, Thread } from './call-stack.ts';
import type { Frames } from './frames.ts';

/** The next terminal of a shortest completion; `undefined` if the text can end here. */
export type CompletionStep = { bytes: readonly number[]; returnPoint: Return } | undefined;

/** Returns a function that computes the next step after a return point. Cached, because completions usually differ only in their start. */
export function createCompletionSteps(closureOf: Frames['closureOf']): (after: Return) => CompletionStep {
  const known = new WeakMap<Return, { step: CompletionStep }>();
  return (after) => {
    let found = known.get(after);
    if (found === undefined) known.set(after, (found = { step: stepOf(closureOf([after])) }));
    return found.step;
  };
}

function stepOf({ threads, canEnd }: Closure): CompletionStep {
  if (canEnd) return undefined;
  const best = nearest(threads);
  return { bytes: restOf(best), returnPoint: best.returnPoint };
}

/** The number of terminals of a completion between two yields: about a millisecond. */
const TERMINALS_PER_STEP = 500;

/** Computes the bytes of a shortest completion by terminal instead of by state, because it can be long. */
export function* completion(from: Closure, stepAfter: (after: Return) => CompletionStep): Steps<Uint8Array> {
  const bytes: number[] = [];
  let terminals = 0;
  for (let step = stepOf(from); step !== undefined; step = stepAfter(step.returnPoint)) {
    for (const byte of step.bytes) bytes.push(byte);
    if (++terminals % TERMINALS_PER_STEP === 0) yield;
  }
  return Uint8Array.from(bytes);
}

/** The thread with the shortest completion. */
function nearest(threads: readonly Thread[]): Thread {
  let minCost = Infinity;
  let best: Thread | undefined;
  for (const thread of threads) {
    const { dfa, state, returnPoint } = thread;
    const distance = distanceFrom(dfa, state);
    // If a terminal can end here, the threads that follow it are also in the list.
    if (distance <= 0 || distance + returnPoint.cost >= minCost) continue;
    minCost = distance + returnPoint.cost;
    best = thread;
  }
  if (best === undefined) throw new RangeError('no accepting state can be reached from this state');
  return best;
}

/** The shortest text that ends a terminal; among texts of equal length, the one with the lowest bytes. */
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
