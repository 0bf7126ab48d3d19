import { GrammarError } from '@modelwire/grammar';
import type { Grammar, GrammarSteps, Steps } from '@modelwire/grammar';

/**
 * The grammar of the input of a function that is not strict: its schema, or any JSON object if the schema is not supported.
 * @throws {GrammarError} with the code `budget` when the grammars of the request together exceed the compile budget.
 */
export function* looseObject(parameters: Readonly<Record<string, unknown>>, grammars: GrammarSteps): Steps<Grammar> {
  try {
    return yield* grammars.jsonSchema('type' in parameters ? parameters : { ...parameters, type: 'object' });
  } catch (error) {
    if (error instanceof GrammarError && error.code !== 'budget') return yield* grammars.jsonObject();
    throw error;
  }
}
