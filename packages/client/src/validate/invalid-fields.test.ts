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

describe('A newer server may know', () => {
  test.each([
    ['another value of an enum', z.object({ status: z.enum(['done']) }), { status: 'paused' }],
    ['another value where there was one', z.object({ role: z.literal('assistant') }), { role: 'narrator' }],
    ['another field', z.strictObject({ id: z.string() }), { id: 'a', region: 'eu' }],
    ['another variant', z.array(call), [{ type: 'robot' }]],
    ['another field of a variant', z.array(call), [{ type: 'custom', input: 'a', mood: 'good' }]],
    ['another value inside one of several forms', z.union([z.number(), z.array(z.enum(['a']))]), ['b']],
  ])('%s', (_, schema, value) => {
    expect(schema.safeParse(value).success).toBe(false);
    expect(pathsOf(schema, value)).toEqual([]);
  });
});

describe('Wrong is', () => {
  test.each([
    ['what is missing', z.object({ id: z.string() }), {}, ['id']],
    ['another type where there was an enum', z.object({ status: z.enum(['done']) }), { status: 3 }, ['status']],
    ['a missing enum', z.object({ status: z.enum(['done']) }), {}, ['status']],
    ['another object than was asked for', z.object({ object: z.literal('file') }), { object: 'video' }, ['object']],
    ['a variant that does not say which', z.array(call), [{ name: 'a' }], ['[0].type']],
    ['a field of a variant', z.object({ calls: z.array(call) }), { calls: [{ type: 'custom' }] }, ['calls[0].input']],
    [
      'what is none of several forms, told of the closest',
      z.object({ in: z.union([z.object({ a: z.string(), b: z.string() }), z.object({ c: z.string() })]) }),
      { in: { a: 'x', b: 1, d: 2 } },
      ['in.b'],
    ],
    ['the whole', z.object({ id: z.string() }), 'text', ['']],
  ])('%s', (_, schema, value, paths) => {
    expect(pathsOf(schema, value)).toEqual(paths);
  });
});
