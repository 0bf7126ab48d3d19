import type { GrammarSteps } from './cache.ts';
import { GrammarError } from './errors.ts';
import type { Grammar } from './grammar.ts';
import type { Steps } from './steps.ts';

/** What a grammar is compiled from. */
export type GrammarSource =
  | { readonly type: 'json_object' }
  | {
      readonly type: 'json_schema';
      readonly schema: unknown;
      readonly strict: boolean;
      /** Whether the grammar of any JSON object replaces that of a schema that cannot be enforced. */
      readonly orObject: boolean;
    }
  | { readonly type: 'lark' | 'regex'; readonly definition: string };

/** Compiles the grammar of a source. @throws GrammarError */
export function* compileSource(source: GrammarSource, grammars: GrammarSteps): Steps<Grammar> {
  if (source.type === 'json_object') return yield* grammars.jsonObject();
  if (source.type !== 'json_schema') return yield* grammars.text(source.type, source.definition);
  try {
    return yield* grammars.jsonSchema(source.schema, { strict: source.strict });
  } catch (error) {
    // Without the budget of the request there would be no limit to what it compiles.
    if (!source.orObject || !(error instanceof GrammarError) || error.code === 'budget') throw error;
    return yield* grammars.jsonObject();
  }
}
