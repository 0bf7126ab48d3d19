import { GrammarError } from '@modelwire/grammar';
import type { Grammar, Steps } from '@modelwire/grammar';
import { problem } from '@modelwire/schema';
import { invalid } from '@modelwire/ports';
import type { Yield } from '../sampling/pace.ts';

/** The location of a grammar in the request, and its name in error messages. */
export interface GrammarLocation {
  readonly path: readonly (string | number)[];
  /** For instance `response_format 'answer'`. */
  readonly of: string;
  readonly kind: 'schema' | 'grammar';
  /** The schema, to distinguish fields from indices in a JSON pointer. */
  readonly schema?: unknown;
}

/** A grammar that a text must follow. */
export interface Constraint {
  readonly grammar: Grammar;
  readonly location: GrammarLocation;
}

/** Runs a function, and converts a GrammarError that it throws to a 400 with the location of the grammar. */
export function orInvalid<Result>(location: GrammarLocation, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof GrammarError ? invalidGrammar(error, location) : error;
  }
}

/** Like `orInvalid` for work in steps, with a pause between them. The remaining work is abandoned if the pause rejects. */
export async function stepsOrInvalid<Result>(
  location: GrammarLocation,
  steps: Steps<Result>,
  pause: Yield,
): Promise<Result> {
  try {
    for (;;) {
      const step = orInvalid(location, () => steps.next());
      if (step.done === true) return step.value;
      await pause();
    }
  } catch (error) {
    abandon(steps);
    throw error;
  }
}

/** Ends a generator early. Its result is not used. */
function abandon(steps: Steps<unknown>): void {
  steps.return(undefined);
}

function invalidGrammar({ path: pointer, line, column, reason }: GrammarError, location: GrammarLocation): Error {
  const { path, of, kind, schema } = location;
  const position = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
  const { param } = problem('invalid_value', [...path, ...stepsOf(pointer ?? '', schema)], '');
  const code = kind === 'schema' ? 'invalid_json_schema' : 'invalid_grammar';
  return invalid(param, `Invalid ${kind} for ${of}${position}: ${reason}.`, code);
}

/** The steps of a JSON pointer: an index where the schema has an array. */
function stepsOf(pointer: string, schema: unknown): (string | number)[] {
  let at = schema;
  const keys = pointer.split('/').slice(1).map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')); // prettier-ignore
  return keys.map((key) => {
    const isIndex = Array.isArray(at);
    at = typeof at === 'object' && at !== null ? Object.getOwnPropertyDescriptor(at, key)?.value : undefined;
    return isIndex ? Number(key) : key;
  });
}
