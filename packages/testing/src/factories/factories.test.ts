import * as schema from '@modelwire/schema';
import * as schemas from '@modelwire/schema/testing';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { factories } from './index.ts';

const named = new Map(
  Object.entries(schemas).flatMap(([name, value]) =>
    name.endsWith('Schema') && value instanceof z.ZodType ? [[name.slice(0, -'Schema'.length), value] as const] : [],
  ),
);
const seeds = [1, 2, 3, 99, 2 ** 31];
const made = seeds.map((seed) => new Map<string, () => unknown>(Object.entries(factories({ seed }))));

test.each([...made[0]!.keys()])('%s creates valid objects with any seed', (name) => {
  for (const make of made) {
    const object = make.get(name)?.();
    expect(named.get(name)?.parse(object)).toEqual(object);
  }
});

test('every object of a response has a factory', () => {
  // Newer servers may add fields to them. Requests have no other fields, except in blocks of types that this server does not know.
  const returned = [...named].flatMap(([name, value]) =>
    value instanceof z.ZodObject &&
    value.def.catchall instanceof z.ZodUnknown &&
    value !== schemas.messageOtherBlockSchema
      ? name
      : [],
  );
  expect(returned.length).toBeGreaterThan(40);
  expect(returned.filter((name) => !made[0]!.has(name))).toEqual([]);
});

test('every response and event of the contract has a factory', () => {
  const known = new Set<unknown>(named.values());
  const used = Object.values(schema.contract).flatMap(({ id, response, ...more }) => [
    // What is a union, items and events, has no factory: its kinds differ too much for one default.
    ...('schema' in response && response.schema instanceof z.ZodObject ? [[id, response.schema] as const] : []),
    ...('event' in more && more.event instanceof z.ZodObject ? [[id, more.event] as const] : []),
  ]);
  expect(used.length).toBeGreaterThan(40);
  expect(used.filter(([, value]) => !known.has(value)).map(([id]) => id)).toEqual([]);
});

test('the same seed creates the same object, another seed another', () => {
  expect(factories({ seed: 5 }).chatCompletion()).toEqual(factories({ seed: 5 }).chatCompletion());
  expect(factories({ seed: 5 }).chatCompletion().id).not.toBe(factories({ seed: 6 }).chatCompletion().id);
});

test('arguments override the defaults at any depth, and dependent fields are computed', () => {
  const make = factories();
  const completion = make.chatCompletion({
    choices: [{ message: { content: 'Hi' } }, { index: 1, message: { tool_calls: [make.toolCall()] } }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  });
  expect(completion.choices.map(({ message }) => message.content)).toEqual(['Hi', expect.any(String)]);
  expect(completion).toMatchObject({ object: 'chat.completion', choices: [{ finish_reason: 'stop' }, { index: 1 }] });
  expect(make.usage({ prompt_tokens: 1, completion_tokens: 2 }).total_tokens).toBe(3);
  expect(make.chatChoice({ message: { tool_calls: [make.toolCall()] } }).finish_reason).toBe('tool_calls');
  expect(make.videoList({ data: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] })).toMatchObject({
    first_id: 'a',
    last_id: 'c',
    data: [{ object: 'video' }, { object: 'video' }, { object: 'video' }],
  });
  expect(make.videoList({ data: [] })).toMatchObject({ first_id: null, last_id: null });
  expect(make.response({ output: [{ type: 'compaction', id: 'cmp_1' }] }).output).toEqual([
    { type: 'compaction', id: 'cmp_1' },
  ]);
  expect(make.file({ status: undefined })).not.toHaveProperty('status');
});

test('an argument named __proto__ does not change the prototype of the object', () => {
  const over = JSON.parse('{"__proto__":{"isAdmin":true},"metadata":{"__proto__":{"isAdmin":true}}}') as object;
  const object = factories().storedChatCompletion(over);
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
  expect('isAdmin' in object || 'isAdmin' in (object.metadata ?? {})).toBe(false);
});
