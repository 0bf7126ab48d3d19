import { afterEach, expect, test } from 'vitest';
import type { ChatEvent } from '@modelwire/ports';
import { listen } from '../../testing/listen.ts';
import { scriptedEngine } from '../../testing/scripted-engine.ts';
import { addUsage } from '../../streaming/transforms/add-usage.ts';
import { fanOut } from '../../streaming/transforms/fan-out.ts';
import { normalise } from '../../generation/plan.ts';

const ask = { model: 'scripted', messages: [{ role: 'user' as const, content: 'Hello' }] };

/** A delta as `JSON.parse` gives it: `__proto__` is an own property. */
const delta = (text: string): ChatEvent => ({
  type: 'extra',
  choice: 0,
  delta: JSON.parse(text) as Record<string, unknown>,
});
const finish: ChatEvent = { type: 'finish', choice: 0, reason: 'stop' };

afterEach(() => {
  // Other tests of this process would fail for no visible reason.
  Reflect.deleteProperty(Object.prototype, 'isAdmin');
});

test.each([
  ['at the top', '{"__proto__":{"isAdmin":true}}'],
  ['in an object', '{"details":{"__proto__":{"isAdmin":true}}}'],
  ['by the constructor', '{"constructor":{"prototype":{"isAdmin":true}}}'],
  ['in an object of an object', '{"a":{"b":{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":1}}}}}'],
])('a delta with __proto__ %s changes no other object', async (_place, text) => {
  const { client } = await listen({ engines: [scriptedEngine(() => [delta(text), delta(text), finish])] });
  await client.chat.completions.create(ask);
  expect('isAdmin' in {}).toBe(false);
  expect('isAdmin' in Object).toBe(false);
  await expect(client.chat.completions.create(ask)).resolves.toBeDefined();
});

test('deltas whose fields are named like methods of objects are kept as they are', async () => {
  const pieces = [delta('{"toString":"a","valueOf":[1]}'), delta('{"toString":"b","valueOf":[2]}'), finish];
  const { client } = await listen({ engines: [scriptedEngine(() => pieces)] });
  const { choices } = await client.chat.completions.create(ask);
  expect(JSON.parse(JSON.stringify(choices[0]?.message))).toMatchObject({ toString: 'ab', valueOf: [1, 2] });
});

const usage = (details: string) => ({
  ...{ prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  completion_tokens_details: JSON.parse(details) as Record<string, number>,
});

test('adds up counts of any name, and only counts', async () => {
  const odd = usage('{"__proto__":5,"toString":2,"constructor":1}');
  const expected = { toString: 4, constructor: 2 };
  expect(JSON.parse(JSON.stringify(addUsage(odd, odd).completion_tokens_details))).toMatchObject(expected);

  const engine = scriptedEngine(() => [finish]);
  const model = engine.models()[0];
  if (!model) throw new Error('the engine has no model');
  const events: ChatEvent[] = [];
  const { request } = normalise(ask, model);
  const generate = (): ChatEvent[] => [finish, { type: 'usage', usage: odd }];
  for await (const event of fanOut({ request, calls: 2, signal: new AbortController().signal, generate }))
    events.push(event);
  const last = events.findLast((event) => event.type === 'usage');
  expect(JSON.parse(JSON.stringify(last?.usage.completion_tokens_details))).toMatchObject(expected);
});
