import { GrammarError } from '@modelwire/grammar';
import type { Grammar } from '@modelwire/grammar';
import { problem } from '@modelwire/schema';
import { invalid } from '@modelwire/ports';

/** Where a grammar stands in the request, and what it is called in a message. */
export interface GrammarPlace {
  readonly path: readonly (string | number)[];
  /** For instance `response_format 'answer'`. */
  readonly of: string;
  readonly kind: 'schema' | 'grammar';
  /** The schema itself: a JSON pointer into it does not tell fields from indices. */
  readonly schema?: unknown;
}

/** A grammar that a text is held to. */
export interface Held {
  readonly grammar: Grammar;
  readonly place: GrammarPlace;
}

/** Runs what may find a grammar wanting, and makes a 400 of that which names where it stands. Nothing is enforced halfway. */
export function orRefuse<Result>(place: GrammarPlace, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof GrammarError ? refusal(error, place) : error;
  }
}

function refusal(error: GrammarError, { path, of, kind, schema }: GrammarPlace): Error {
  const { path: pointer, line, column, reason } = error;
  const at = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
  const { param } = problem('invalid_value', [...path, ...(pointer === undefined ? [] : steps(pointer, schema))], '');
  const code = kind === 'schema' ? 'invalid_json_schema' : 'invalid_grammar';
  return invalid(param, `Invalid ${kind} for ${of}${at}: ${reason}.`, code);
}

/** A JSON pointer as steps: an index where the schema has a list there. */
function steps(pointer: string, schema: unknown): (string | number)[] {
  const [, ...escaped] = pointer.split('/');
  let at = schema;
  return escaped.map((step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    const inList = Array.isArray(at);
    at = typeof at === 'object' && at !== null ? Object.getOwnPropertyDescriptor(at, key)?.value : undefined;
    return inList ? Number(key) : key;
  });
}
