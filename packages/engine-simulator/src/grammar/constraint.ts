import { GrammarError } from '@modelwire/grammar';
import type { Grammar, Steps } from '@modelwire/grammar';
import { problem } from '@modelwire/schema';
import { invalid } from '@modelwire/ports';
import type { Yield } from '../sampling/pace.ts';

/** Where a grammar is in the request, and what messages call it. */
export interface GrammarPlace {
  readonly path: readonly (string | number)[];
  /** For instance `response_format 'answer'`. */
  readonly of: string;
  readonly kind: 'schema' | 'grammar';
  /** The schema, to tell fields from indices in a JSON pointer. */
  readonly schema?: unknown;
}

/** A grammar that a text must follow. */
export interface Constraint {
  readonly grammar: Grammar;
  readonly place: GrammarPlace;
}

/** Runs what may throw a GrammarError, and throws a 400 that names its place instead. */
export function orInvalid<Result>(place: GrammarPlace, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof GrammarError ? invalidGrammar(error, place) : error;
  }
}

/** The same for work in steps, with a pause between them. What is left of the work is given up where the pause rejects. */
export async function stepsOrInvalid<Result>(place: GrammarPlace, steps: Steps<Result>, pause: Yield): Promise<Result> {
  try {
    for (;;) {
      const step = orInvalid(place, () => steps.next());
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

function invalidGrammar({ path: pointer, line, column, reason }: GrammarError, place: GrammarPlace): Error {
  const { path, of, kind, schema } = place;
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
