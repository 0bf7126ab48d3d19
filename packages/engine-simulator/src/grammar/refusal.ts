import { GrammarError } from '@modelwire/grammar';
import { problem } from '@modelwire/schema';
import { invalid } from '@modelwire/ports';
import type { Breathe } from '../prompt-tokens.ts';

/** Where a grammar stands in the request, and what it is called in a message. */
export interface GrammarPlace {
  readonly path: readonly (string | number)[];
  /** For instance `response_format 'answer'`. */
  readonly of: string;
  readonly kind: 'schema' | 'grammar';
  /** The schema itself: a JSON pointer into it does not tell fields from indices. */
  readonly schema?: unknown;
}

/** Runs what may find a grammar wanting, and makes a 400 of that which names where it stands. Nothing is enforced halfway. */
export function orRefuse<Result>(place: GrammarPlace, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw error instanceof GrammarError ? refusal(error, place) : error;
  }
}

/** The same for work in steps: `breathe` is awaited between them. */
export async function stepsOrRefuse<Result>(
  place: GrammarPlace,
  steps: Generator<void, Result>,
  breathe: Breathe,
): Promise<Result> {
  let isOver = false;
  try {
    for (;;) {
      const step = orRefuse(place, () => steps.next());
      if (step.done === true) {
        isOver = true;
        return step.value;
      }
      const pause = breathe();
      if (pause) await pause;
    }
  } finally {
    // What is left of the work is given up.
    if (!isOver) closeSteps(steps);
  }
}

/** Ends a generator before its end: what it returns is never read. */
function closeSteps(steps: Generator<void, unknown>): void {
  steps.return(undefined);
}

function refusal(error: GrammarError, { path, of, kind, schema }: GrammarPlace): Error {
  const { path: pointer, line, column, reason } = error;
  const inner = pointer === undefined ? [] : steps(pointer, schema);
  const at = line === undefined ? '' : ` (line ${line}, column ${column ?? 1})`;
  const { param } = problem('invalid_value', [...path, ...inner], '');
  return invalid(
    param,
    `Invalid ${kind} for ${of}${at}: ${reason}.`,
    `invalid_${kind === 'schema' ? 'json_schema' : kind}`,
  );
}

/** A JSON pointer as steps: an index where the schema has a list there. */
function steps(pointer: string, schema: unknown): (string | number)[] {
  let at = schema;
  return pointer
    .split('/')
    .slice(1)
    .map((escaped) => {
      const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
      const isList = Array.isArray(at);
      at = typeof at === 'object' && at !== null ? Object.getOwnPropertyDescriptor(at, key)?.value : undefined;
      return isList ? Number(key) : key;
    });
}
