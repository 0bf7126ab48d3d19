import * as z from 'zod';
import type { Open } from './types/open.ts';

interface Range {
  readonly min?: number;
  readonly max?: number;
}

const limits = (range: Range, min: string, max: string): Record<string, number> => ({
  ...(range.min !== undefined && { [min]: range.min }),
  ...(range.max !== undefined && { [max]: range.max }),
});

/** Our own check rather than `.min().max()`: those do not tell an integer from a decimal, and the error codes do. */
function within(origin: 'int' | 'number', { min, max }: Range): z.core.CheckFn<number> {
  return ({ value, issues }) => {
    if (max !== undefined && value > max) {
      issues.push({ code: 'too_big', origin, maximum: max, inclusive: true, input: value });
    } else if (min !== undefined && value < min) {
      issues.push({ code: 'too_small', origin, minimum: min, inclusive: true, input: value });
    }
  };
}

/** An integer that JavaScript holds exactly, within the limits. */
export const integer = (range: Range = {}): z.ZodInt =>
  z
    .int()
    .check(within('int', range))
    .meta(limits(range, 'minimum', 'maximum'));

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

/** A time of a response in Unix seconds; `description` says of what. */
export const timestamp = (description: string): z.ZodInt =>
  z.int().meta({ description: `${description} In Unix seconds.`, minimum: 0, examples: [1_735_689_600] });

/** A number of things in a response. */
export const count = (description: string): z.ZodInt => z.int().meta({ description, minimum: 0, examples: [12] });

/** A field whose value is always the same, such as `object` or `type`. */
export const constant = <const Value extends string>(value: Value): z.ZodLiteral<Value> =>
  z.literal(value).describe(`Always \`${value}\`.`);

/** The id of an object of a response, with an example. */
export const id = (description: string, example: string): z.ZodString =>
  z.string().meta({ description, examples: [example] });

/** A value of a response: the known ones are documented, any string is taken, since a newer server may know more. */
export function open<const Known extends string>(
  known: readonly Known[],
  description?: string,
): z.ZodType<Open<Known>, Open<Known>> {
  const values = known.map((value) => `\`${value}\``).join(', ');
  return z.string().meta({
    ...(description !== undefined && { description: `${description} One of ${values}.` }),
    examples: [...known],
  });
}

/** A JSON object that is kept as it is: a JSON Schema, a batch line's body. */
export const jsonObject = (): z.ZodRecord<z.ZodString, z.ZodUnknown> => z.record(z.string(), z.unknown());
