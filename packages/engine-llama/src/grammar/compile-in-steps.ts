import { setImmediate } from 'node:timers/promises';
import type { Grammar, Steps } from '@modelwire/grammar';
import { refuseInvalidGrammar } from './refusal.ts';
import type { GrammarPlace, TextGrammar } from './refusal.ts';

/** Milliseconds after which compilation yields to the event loop. */
const maxTurnMs = 5;

/** Compiles the grammar at one path of a request; returns a 400 that names the path if it is not supported. */
export type CompileInSteps = (place: GrammarPlace, steps: Steps<Grammar>) => Promise<TextGrammar>;

/** Compiles the grammars of one request and yields to the event loop. @throws the reason of the signal when it aborts. */
export function createCompileInSteps(signal: AbortSignal): CompileInSteps {
  let turnStart = performance.now();
  return async (place, steps) => {
    try {
      for (;;) {
        const next = refuseInvalidGrammar(place, () => steps.next());
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

/** Ends a generator that may not have finished; its result is not used. */
function close(steps: Generator<undefined, unknown, undefined>): void {
  steps.return(undefined);
}
