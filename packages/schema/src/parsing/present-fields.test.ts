import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { chatCompletionCreateParamsSchema } from '../chat/create.ts';
import { schemaForPresentFields } from './present-fields.ts';

const fieldValue = fc.oneof(
  fc.constantFrom(null, true, 0, 1, -3, 1.5, 1e9, '', 'auto', 'low', [], {}),
  fc.constant([{ role: 'user', content: 'Hello' }]),
  fc.constant([{ role: 'nobody' }]),
  fc.constant({ type: 'json_object' }),
);
const names = Object.keys(chatCompletionCreateParamsSchema.shape);

test('reports the same problems in the same order as the full schema, and returns the same value', () => {
  const schemaFor = schemaForPresentFields(chatCompletionCreateParamsSchema);
  const field = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...names) },
    fc.constantFrom('made_up', 'model,messages'),
  );
  const validBody = fc.constant({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] });
  const body = fc
    .tuple(fc.oneof(validBody, fc.constant({})), fc.dictionary(field, fieldValue, { maxKeys: 5 }), fc.boolean())
    .map(([some, others, first]) => (first ? { ...some, ...others } : { ...others, ...some }));
  fc.assert(
    fc.property(body, (value) => {
      const fromPresentFields = schemaFor(value).safeParse(value);
      const fromFullSchema = chatCompletionCreateParamsSchema.safeParse(value);
      expect(fromPresentFields.data).toEqual(fromFullSchema.data);
      expect(fromPresentFields.error?.issues).toEqual(fromFullSchema.error?.issues);
    }),
    { numRuns: 2000 },
  );
});

test('runs no schema of an optional field that is absent', () => {
  let runs = 0;
  const counted = z
    .string()
    .optional()
    .transform((value) => {
      runs++;
      return value;
    });
  const schemaFor = schemaForPresentFields(z.strictObject({ here: z.string(), counted }));
  const body = { here: 'yes' };
  schemaFor(body);
  runs = 0;
  expect(schemaFor(body).parse(body)).toEqual({ here: 'yes' });
  expect(runs).toBe(0);
});

test('uses the full schema for bodies that are not objects or have unknown fields', () => {
  const fullSchema = z.strictObject({ a: z.string().optional() });
  const schemaFor = schemaForPresentFields(fullSchema);
  for (const body of [null, 'text', { b: 1 }, { a: 'x', b: 1 }]) expect(schemaFor(body)).toBe(fullSchema);
});

test('caches a limited number of combinations', () => {
  const shape = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}`, z.number().optional()]));
  const fullSchema = z.strictObject(shape);
  const schemaFor = schemaForPresentFields(fullSchema);
  const schemas = Array.from({ length: 4096 }, (_, bits) =>
    schemaFor(
      Object.fromEntries(
        Object.keys(shape)
          .filter((_name, index) => (bits >> index) & 1)
          .map((name) => [name, 1]),
      ),
    ),
  );
  expect(new Set(schemas).size).toBeLessThan(300);
  expect(schemas.at(-1)).toBe(fullSchema);
});
