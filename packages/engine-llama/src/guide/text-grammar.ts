import { compileSource, GrammarError, runStepsWithPauses } from '@modelwire/grammar';
import type { Grammar, GrammarSteps, State } from '@modelwire/grammar';
import { invalid } from '@modelwire/ports';
import type { Pause } from '@modelwire/adapter-kit';
import { grammarProblem } from '@modelwire/schema/internal';
import type { RequestGrammar } from '@modelwire/schema/internal';

/** A grammar that constrains a text. */
export interface TextGrammar {
  readonly grammar: Grammar;
  /** Its definition in the request. */
  readonly origin: RequestGrammar;
}

/** @throws a 400 that names the path if the grammar is not supported: grammars are never enforced partially. */
export async function compileTextGrammar(
  origin: RequestGrammar,
  grammars: GrammarSteps,
  pause: Pause,
): Promise<TextGrammar> {
  try {
    return { origin, grammar: await runStepsWithPauses(compileSource(origin.source, grammars), pause) };
  } catch (error) {
    throw toRequestError(error, origin);
  }
}

/** The state after one more byte. @throws a 400 for unbounded ambiguity, which is only detected during matching. */
export function advanceState(state: State, byte: number, { origin }: TextGrammar): State | undefined {
  try {
    return state.advanceByte(byte);
  } catch (error) {
    throw toRequestError(error, origin);
  }
}

/** The 400 for a `GrammarError`; any other error unchanged. */
function toRequestError(error: unknown, origin: RequestGrammar): unknown {
  if (!(error instanceof GrammarError)) return error;
  const { param, message, code } = grammarProblem(origin, error);
  return invalid(param, message, code);
}
