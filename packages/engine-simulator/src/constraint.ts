import { compileSource, GrammarError, runStepsWithPauses } from '@modelwire/grammar';
import type { Grammar, GrammarSteps, State, Steps } from '@modelwire/grammar';
import { grammarProblem } from '@modelwire/schema/internal';
import type { RequestGrammar } from '@modelwire/schema/internal';
import { invalid } from '@modelwire/ports';
import type { Pause } from '@modelwire/adapter-kit';
import type { Shorten } from './sampling/token-source.ts';
import type { Tokenizer } from './tokens/tokenizer.ts';

/** A grammar that a text must follow. */
export interface Constraint {
  readonly grammar: Grammar;
  /** Its definition in the request. */
  readonly origin: RequestGrammar;
}

/** Compiles a grammar of a request. One that cannot be enforced in full is a 400 with its path. */
export async function compile(origin: RequestGrammar, grammars: GrammarSteps, pause: Pause): Promise<Constraint> {
  return { origin, grammar: await runOrRefuse(origin, compileSource(origin.source, grammars), pause) };
}

/** Runs steps that use a grammar: one that turns out to be too ambiguous is a 400, too. */
export async function runOrRefuse<Result>(origin: RequestGrammar, steps: Steps<Result>, pause: Pause): Promise<Result> {
  try {
    return await runStepsWithPauses(steps, pause);
  } catch (error) {
    throw refusalOf(origin, error);
  }
}

/** The 400 for a grammar; any other error as it is. */
function refusalOf(origin: RequestGrammar, error: unknown): unknown {
  if (!(error instanceof GrammarError)) return error;
  const { param, message, code } = grammarProblem(origin, error);
  return invalid(param, message, code);
}

/** Keeps as much of a text of the grammar as fits together with the shortest completion after it. */
export function shortenWith({ grammar, origin }: Constraint, tokenizer: Tokenizer): Shorten {
  const after = (from: State, ids: readonly number[]): State =>
    ids.reduce((state, id) => state.advance(tokenizer.bytes(id)) ?? state, from);
  const endOf = (state: State): number[] => tokenizer.encodeBytes(state.completionBytes());
  return (ids, position, left) => {
    try {
      const start = after(grammar.start(), ids.slice(0, position));
      if (endOf(start).length > left) return undefined;
      let [kept, most] = [0, left];
      while (kept < most) {
        const middle = Math.ceil((kept + most) / 2);
        const state = after(start, ids.slice(position, position + middle));
        if (endOf(state).length <= left - middle) kept = middle;
        else most = middle - 1;
      }
      const end = position + kept;
      return [...ids.slice(0, end), ...endOf(after(start, ids.slice(position, end)))];
    } catch (error) {
      throw refusalOf(origin, error);
    }
  };
}
