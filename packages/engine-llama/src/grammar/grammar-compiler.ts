import { setImmediate } from 'node:timers/promises';
import type { Grammar, Steps } from '@modelwire/grammar';
import { convertGrammarErrors } from './grammar-error.ts';
import type { GrammarLocation, TextGrammar } from './grammar-error.ts';

/** The time in milliseconds after which a compilation yields to the event loop. */
const maxTurnMs = 5;

/** Compiles the grammar at a path of a request. @throws a 400 that names the path if the grammar is not supported. */
export type CompileGrammar = (location: GrammarLocation, steps: Steps<Grammar>) => Promise<TextGrammar>;

/** Returns a function that compiles the grammars of one request and yields to the event loop. It throws the reason of the signal on abort. */
export function createGrammarCompiler(signal: AbortSignal): CompileGrammar {
  let turnStart = performance.now();
  return async (location, steps) => {
    try {
      for (;;) {
        const next = convertGrammarErrors(location, () => steps.next());
        if (next.done === true) return { location, grammar: next.value };
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

/** Aborts a generator unless it has finished. */
function close(steps: Generator<undefined, unknown, undefined>): void {
  steps.return(undefined);
}
