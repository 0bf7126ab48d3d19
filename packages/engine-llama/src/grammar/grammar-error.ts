import { GrammarError } from '@modelwire/grammar';
import type { Grammar } from '@modelwire/grammar';
import { problem } from '@modelwire/schema';
import { invalid } from '@modelwire/ports';

/** The location of a grammar in the request. */
export interface GrammarLocation {
  readonly path: readonly (string | number)[];
  /** The name in messages, such as `response_format 'answer'`. */
  readonly name: string;
  readonly kind: 'schema' | 'grammar';
  /** The schema itself, because a JSON pointer does not distinguish fields from indices. */
  readonly schema?: unknown;
}

/** A grammar that constrains a text. */
export interface TextGrammar {
  readonly grammar: Grammar;
  readonly location: GrammarLocation;
}

/** Runs a function, and converts a `GrammarError` to a 400 that names the path: grammars are never enforced partially. */
export function convertGrammarErrors<Result>(location: GrammarLocation, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof GrammarError ? toRequestError(error, location) : error;
  }
}

function toRequestError(error: GrammarError, { path, name, kind, schema }: GrammarLocation): Error {
  const { path: pointer, line, column, reason } = error;
  const at = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
  const { param } = problem('invalid_value', [...path, ...(pointer === undefined ? [] : steps(pointer, schema))], '');
  const code = kind === 'schema' ? 'invalid_json_schema' : 'invalid_grammar';
  return invalid(param, `Invalid ${kind} for ${name}${at}: ${reason}.`, code);
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
