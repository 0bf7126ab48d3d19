import { GrammarError } from '@modelwire/grammar';
import type { Grammar } from '@modelwire/grammar';
import { problem } from '@modelwire/schema';
import { invalid } from '@modelwire/ports';

/** The path of a grammar in the request, and its name in messages. */
export interface GrammarPlace {
  readonly path: readonly (string | number)[];
  /** For example `response_format 'answer'`. */
  readonly of: string;
  readonly kind: 'schema' | 'grammar';
  /** The schema itself, because a JSON pointer does not distinguish fields from indices. */
  readonly schema?: unknown;
}

/** A grammar that constrains a text. */
export interface TextGrammar {
  readonly grammar: Grammar;
  readonly place: GrammarPlace;
}

/**
 * Runs a function that may reject a grammar, and converts the error to a 400 with its path. Grammars are never enforced in
 * part.
 */
export function refuseInvalidGrammar<Result>(place: GrammarPlace, run: () => Result): Result {
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

/** Converts a JSON pointer to path segments, with indices for arrays of the schema. */
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
