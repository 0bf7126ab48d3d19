import * as z from 'zod';
import type { Open } from '../types/open.ts';

interface Range {
  readonly min?: number;
  readonly max?: number;
}

const limits = (range: Range, min: string, max: string): Record<string, number> => ({
  ...(range.min !== undefined && { [min]: range.min }),
  ...(range.max !== undefined && { [max]: range.max }),
});

/** A custom check instead of `.min().max()`, which do not distinguish integers from decimals as the error codes do. */
function within(origin: 'int' | 'number', { min, max }: Range): z.core.CheckFn<number> {
  return ({ value, issues }) => {
    if (max !== undefined && value > max) {
      issues.push({ code: 'too_big', origin, maximum: max, inclusive: true, input: value });
    } else if (min !== undefined && value < min) {
      issues.push({ code: 'too_small', origin, minimum: min, inclusive: true, input: value });
    }
  };
}

/** An integer within the limits that JavaScript represents exactly. */
export const integer = (range: Range = {}): z.ZodInt =>
  z
    .int()
    .check(within('int', range))
    .meta(limits(range, 'minimum', 'maximum'));

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** A 64-bit integer: a number where it is exact, otherwise a bigint. A number beyond 2^53 has been rounded and is rejected. */
export function int64(): z.ZodType<number | bigint, number | bigint>;
export function int64(): z.ZodType {
  return (
    z
      .unknown()
      .check(({ value, issues }) => {
        if (typeof value !== 'bigint' && (typeof value !== 'number' || !Number.isInteger(value))) {
          issues.push({ code: 'invalid_type', expected: 'int', input: value });
        } else if (value > INT64_MAX) {
          issues.push({ code: 'too_big', origin: 'int', maximum: INT64_MAX, inclusive: true, input: value });
        } else if (value < INT64_MIN) {
          issues.push({ code: 'too_small', origin: 'int', minimum: INT64_MIN, inclusive: true, input: value });
        } else if (typeof value === 'number' && !Number.isSafeInteger(value)) {
          const message = `an integer from ${INT64_MIN} to ${INT64_MAX}, written in digits`;
          issues.push({ code: 'custom', message, input: value });
        }
      })
      // Without bounds: a JSON document of ours cannot represent them exactly.
      .meta({ type: 'integer', format: 'int64' })
  );
}

export const decimal = (range: Range = {}): z.ZodNumber =>
  z
    .number()
    .check(within('number', range))
    .meta(limits(range, 'minimum', 'maximum'));

/** Characters are code points, as JSON Schema counts them. */
function longerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if ((text.codePointAt(at) ?? 0) > 0xffff) pairs++;
  return text.length - pairs > max;
}

/** A string whose length in characters is within the limits. */
export const text = ({ min, max }: Range): z.ZodString =>
  z
    .string()
    .check(({ value, issues }) => {
      if (max !== undefined && longerThan(value, max)) {
        issues.push({ code: 'too_big', origin: 'string', maximum: max, inclusive: true, input: value });
      } else if (min !== undefined && value.length < min) {
        issues.push({ code: 'too_small', origin: 'string', minimum: min, inclusive: true, input: value });
      }
    })
    .meta(limits({ min, max }, 'minLength', 'maxLength'));

/** Text that identifies something, such as an ID. A URL cannot contain a lone surrogate. */
export const identifier = (range: Range): z.ZodString =>
  text(range).check(({ value, issues }) => {
    if (!value.isWellFormed()) issues.push({ code: 'custom', message: 'whole characters', input: value });
  });

/** A time in a response, in Unix seconds. */
export const timestamp = (description: string): z.ZodInt =>
  z.int().meta({ description: `${description} In Unix seconds.`, minimum: 0, examples: [1_735_689_600] });

/** A count in a response. */
export const count = (description: string): z.ZodInt => z.int().meta({ description, minimum: 0, examples: [12] });

/** A field whose value is always the same, such as `object` or `type`. */
export const constant = <const Value extends string>(value: Value): z.ZodLiteral<Value> =>
  z.literal(value).describe(`Always \`${value}\`.`);

/** A string with an example. */
export const string = (description: string, example: string): z.ZodString =>
  z.string().meta({ description, examples: [example] });

export const optionalString = (description: string, example: string): z.ZodOptional<z.ZodString> =>
  z
    .string()
    .optional()
    .meta({ description, examples: [example] });

/** A string that may also be null or absent. */
export const nullableString = (description: string, example: string): z.ZodOptional<z.ZodNullable<z.ZodString>> =>
  z
    .string()
    .nullable()
    .optional()
    .meta({ description, examples: [example] });

/** An optional boolean of a request. */
export const flag = (description: string, fallback: boolean): z.ZodOptional<z.ZodBoolean> =>
  z.boolean().optional().meta({ description, default: fallback });

/** An object of a request, which has no other fields. `id` is its name in the OpenAPI document. */
export const requestObject = <Shape extends z.core.$ZodLooseShape>(id: string, description: string, shape: Shape) =>
  z.strictObject(shape).meta({ id, description });

/** An object of a response, to which newer servers may add fields. `id` is its name in the OpenAPI document. */
export const responseObject = <Shape extends z.core.$ZodLooseShape>(id: string, description: string, shape: Shape) =>
  z.looseObject(shape).meta({ id, description });

/** The documented values of an `openEnum` field, for the generation of types. */
export const knownValues = z.registry<{ readonly values: readonly string[] }>();

/**
 * An enum in a response: known values are documented, and any string is accepted, because newer servers may add values. In a request,
 * the strings that match the pattern.
 */
export function openEnum<const Known extends string>(
  known: readonly Known[],
  description?: string,
  pattern?: RegExp,
): z.ZodType<Open<Known>, Open<Known>> {
  const values = known.map((value) => `\`${value}\``).join(', ');
  return (pattern ? z.string().regex(pattern, { error: `a string such as '${known[0]}'` }) : z.string())
    .meta({
      ...(description !== undefined && { description: `${description} One of ${values}.` }),
      examples: [...known],
    })
    .register(knownValues, { values: known });
}

/** A JSON object that is kept unchanged, such as a JSON Schema or the body of a batch line. */
export const jsonObject = (): z.ZodRecord<z.ZodString, z.ZodUnknown> => z.record(z.string(), z.unknown());
