import type * as z from 'zod';
import { guardBody } from './body-guard.ts';
import { lenient } from './lenient.ts';
import { omitNulls } from './omit-nulls.ts';
import { problem, problemOf } from './problem.ts';
import type { Problem } from '../types/parts.ts';

/** A parsed request, or its first problem. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

export interface ParseOptions {
  /** Treatment of unknown fields at any level. Default: they are rejected. */
  readonly unknownFields?: 'refuse' | 'keep';
}

/** Options for a body that names a model. */
export interface ModelParseOptions extends ParseOptions {
  /** The model of a request without `model`. Default: such a request is rejected. */
  readonly defaultModel?: string | undefined;
}

/** Gives a body without a model the default one. */
export function withDefaultModel(body: unknown, options: ModelParseOptions | undefined): unknown {
  const model = options?.defaultModel;
  if (model === undefined || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return 'model' in body && body.model !== null ? body : { ...body, model };
}

/** Only one problem is reported, so parsing stops at the first: a million invalid items cost as much as one. */
const FIRST_ONLY: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

/** Parses a JSON body by its schema; null on an optional field means that it is absent. Never throws for any input. */
export function parseRequest<Schema extends z.core.$ZodType>(
  schema: Schema & z.ZodType,
  body: unknown,
  options?: ParseOptions,
): Parsed<z.output<Schema>>;
export function parseRequest(
  schema: z.ZodType,
  body: unknown,
  { unknownFields = 'refuse' }: ParseOptions = {},
): Parsed<unknown> {
  const guarded = guardBody(body);
  if (guarded.problem) return { ok: false, problem: guarded.problem };
  try {
    const value = guarded.hasNulls ? omitNulls(schema, body) : body;
    const result = (unknownFields === 'keep' ? lenient(schema) : schema).safeParse(value, FIRST_ONLY);
    return result.success
      ? { ok: true, value: result.data }
      : { ok: false, problem: problemOf(result.error, value, schema) };
  } catch (thrown) {
    // zod compares the `length` of a value with the limits of an array before it reports that the value is not an array. Comparing
    // that of `{ "length": { "toString": 1 } }` throws. Any other TypeError is a defect of this server.
    if (thrown instanceof TypeError && guarded.hasObjectAsLength) {
      const message = "Invalid type in the request body: expected an array, but got an object with a field 'length'.";
      return { ok: false, problem: problem('invalid_type', [], message) };
    }
    // zod passes the issues of an array as arguments of one call: more than about 100,000 overflow the stack.
    if (!(thrown instanceof RangeError)) throw thrown;
    return {
      ok: false,
      problem: problem('invalid_value', [], 'Invalid request body: it has too many errors to report.'),
    };
  }
}
