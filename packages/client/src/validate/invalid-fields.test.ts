import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { invalidFields } from './invalid-fields.ts';

function pathsOf(schema: z.ZodType, value: unknown): string[] {
  const { error } = schema.safeParse(value);
  return invalidFields(error?.issues ?? [], value).map(({ path }) => path);
}

const call = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('function'), name: z.string() }),
  z.strictObject({ type: z.literal('custom'), input: z.string() }),
]);

describe('valid additions of a newer server:', () => {
  test.each([
    ['another value of an enum', z.object({ status: z.enum(['done']) }), { status: 'paused' }],
    ['another value instead of a literal', z.object({ role: z.literal('assistant') }), { role: 'narrator' }],
    ['another field', z.strictObject({ id: z.string() }), { id: 'a', region: 'eu' }],
    ['another variant', z.array(call), [{ type: 'robot' }]],
    ['another field of a variant', z.array(call), [{ type: 'custom', input: 'a', mood: 'good' }]],
    ['another value within a union', z.union([z.number(), z.array(z.enum(['a']))]), ['b']],
  ])('%s', (_, schema, value) => {
    expect(schema.safeParse(value).success).toBe(false);
    expect(pathsOf(schema, value)).toEqual([]);
  });
});

describe('invalid:', () => {
  test.each([
    ['a missing field', z.object({ id: z.string() }), {}, ['id']],
    ['another type instead of an enum', z.object({ status: z.enum(['done']) }), { status: 3 }, ['status']],
    ['a missing enum', z.object({ status: z.enum(['done']) }), {}, ['status']],
    ['another object', z.object({ object: z.literal('file') }), { object: 'video' }, ['object']],
    ['a variant without its discriminator', z.array(call), [{ name: 'a' }], ['[0].type']],
    ['a field of a variant', z.object({ calls: z.array(call) }), { calls: [{ type: 'custom' }] }, ['calls[0].input']],
    [
      'no variant of a union: reports the closest one',
      z.object({ in: z.union([z.object({ a: z.string(), b: z.string() }), z.object({ c: z.string() })]) }),
      { in: { a: 'x', b: 1, d: 2 } },
      ['in.b'],
    ],
    ['the value itself', z.object({ id: z.string() }), 'text', ['']],
  ])('%s', (_, schema, value, paths) => {
    expect(pathsOf(schema, value)).toEqual(paths);
  });
});
