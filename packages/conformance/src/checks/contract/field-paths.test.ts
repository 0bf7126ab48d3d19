import * as z from 'zod';
import { expect, test } from 'vitest';
import { fieldPaths, parentObjects } from './field-paths.ts';

const schema = z.object({
  id: z.string(),
  usage: z.object({ total: z.int() }).optional(),
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }).nullable() })),
});

test('finds the path of every field at any depth, through arrays, null and missing values', () => {
  expect(fieldPaths(schema).map(({ name, optional, inner }) => [name, optional, inner])).toEqual([
    ['id', false, undefined],
    ['usage', true, 'object'],
    ['usage.total', false, undefined],
    ['choices', false, 'array'],
    ['choices[].message', false, 'object'],
    ['choices[].message.content', false, undefined],
  ]);
});

test('finds an optional field in each item that can have it, and none where the object is missing', () => {
  const path = fieldPaths(schema).find(({ name }) => name === 'choices[].message.content')?.path ?? [];
  const value = { choices: [{ message: { content: 'a' } }, { message: null }, 7, { message: {} }] };
  expect(parentObjects(value, path)).toEqual([{ content: 'a' }, {}]);
  for (const nothing of [null, 7, [], { choices: 'x' }, { choices: { 0: {} } }])
    expect(parentObjects(nothing, path)).toEqual([]);
});
