import { setImmediate } from 'node:timers/promises';
import type { Grammar, Steps } from '@modelwire/grammar';
import { orRefuse } from './refusal.ts';
import type { GrammarPlace, Held } from './refusal.ts';

/** Compiling yields to the event loop when this has passed. */
const maxTurnMs = 5;

/** Compiles the grammar of one place of a request; a 400 that names the place where it cannot be enforced. */
export type CompileInSteps = (place: GrammarPlace, steps: Steps<Grammar>) => Promise<Held>;

/** Compiles the grammars of one request, with turns for the event loop. @throws the reason of the signal when it aborts. */
export function createCompileInSteps(signal: AbortSignal): CompileInSteps {
  let turnStart = performance.now();
  return async (place, steps) => {
    try {
      for (;;) {
        const next = orRefuse(place, () => steps.next());
        if (next.done === true) return { place, grammar: next.value };
        if (performance.now() - turnStart <= maxTurnMs) continue;
        await setImmediate();
        signal.throwIfAborted();
        turnStart = performance.now();
      }
    } finally {
      close(steps);
    }
  };
}

/** Ends a generator that may not be at its end: what it returns is never read. */
function close(steps: Generator<undefined, unknown, undefined>): void {
  steps.return(undefined);
}
