import { GrammarError } from '@modelwire/grammar';
import type { Grammar, GrammarSteps, Steps } from '@modelwire/grammar';

/**
 * Compiles the parameters of a function that is not strict: its schema, or any JSON object if the schema is not supported.
 * @throws {GrammarError} with the code `budget` if the grammars of the request together exceed the compile budget.
 */
export function* nonStrictParameters(
  parameters: Readonly<Record<string, unknown>>,
  grammars: GrammarSteps,
): Steps<Grammar> {
  try {
    return yield* grammars.jsonSchema('type' in parameters ? parameters : { ...parameters, type: 'object' });
  } catch (error) {
    if (error instanceof GrammarError && error.code !== 'budget') return yield* grammars.jsonObject();
    throw error;
  }
}
