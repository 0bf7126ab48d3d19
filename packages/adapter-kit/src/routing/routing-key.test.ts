import { expect, test } from 'vitest';
import type { EngineContext } from '@modelwire/ports';
import { cacheSalt, routingKey } from './routing-key.ts';

type Body = Partial<EngineContext['requestBody']>;

const system = { role: 'system', content: 'You are brief.' } as const;
const user = (content: string) => ({ role: 'user', content }) as const;
const assistant = { role: 'assistant', content: 'Hello' } as const;
const tool = (name: string) => ({ type: 'function', function: { name } }) as const;

function keyed(body: Body, { project = 'p', conversation }: { project?: string; conversation?: string } = {}) {
  return { project, conversation, requestBody: { model: 'm', messages: [system, user('Hi')], ...body } };
}
const key = (body: Body, more?: Parameters<typeof keyed>[1]): number => routingKey(keyed(body, more), 100);

test('all turns of a conversation have the same key', () => {
  expect(key({ messages: [system, user('Hi'), assistant, user('More')] })).toBe(key({}));
  expect(key({ temperature: 0, n: 2 })).toBe(key({}));
});

test.each<[string, Body]>([
  ['model', { model: 'other' }],
  ['tools', { tools: [tool('look_up')] }],
  ['functions', { functions: [{ name: 'look_up' }] }],
  ['system message', { messages: [{ role: 'developer', content: 'You are brief.' }, user('Hi')] }],
  ['first user message', { messages: [system, user('Ho')] }],
  [
    'image',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a.test/1.png' } }] }] },
  ],
])('another %s is another key', (_, body) => {
  expect(key(body)).not.toBe(key({}));
});

test('each part is cut by itself: a long system message does not hide the user message, and its end does not matter', () => {
  const long = (end: string) => ({ role: 'system', content: 'x'.repeat(1000) + end }) as const;
  expect(key({ messages: [long('1'), user('Hi')] })).toBe(key({ messages: [long('2'), user('Hi')] }));
  expect(key({ messages: [long('1'), user('Hi')] })).not.toBe(key({ messages: [long('1'), user('Ho')] }));
  const [one, two] = ['1', '2'].map((end) => keyed({ messages: [long(end), user('Hi')] }));
  expect(routingKey(one!, 2000)).not.toBe(routingKey(two!, 2000));
});

test('a request without a user message has a key', () => {
  expect(key({ messages: [system] })).not.toBe(key({ messages: [system, assistant] }));
});

test('prompt_cache_key comes first, and belongs to its project', () => {
  const shared = key({ prompt_cache_key: 'k' });
  expect(key({ prompt_cache_key: 'k', messages: [user('Else')] }, { conversation: 'conv_1' })).toBe(shared);
  expect(key({ prompt_cache_key: 'k' }, { project: 'q' })).not.toBe(shared);
  for (const none of [null, '']) expect(key({ prompt_cache_key: none })).toBe(key({}));
});

test('requests that begin alike up to the first breakpoint have the same key', () => {
  const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } } as const;
  const text = (content: string) => ({ type: 'text', text: content }) as const;
  const marked = (document: string, question: string) =>
    key({ messages: [system, { role: 'user', content: [{ ...text(document), ...breakpoint }, text(question)] }] });
  expect(marked('A document', 'One question')).toBe(marked('A document', 'Another'));
  expect(marked('A document', 'One question')).not.toBe(marked('Another', 'One question'));
});

test('a conversation comes before the messages', () => {
  expect(key({ messages: [user('Else')] }, { conversation: 'conv_1' })).toBe(key({}, { conversation: 'conv_1' }));
  expect(key({}, { conversation: 'conv_2' })).not.toBe(key({}, { conversation: 'conv_1' }));
});

test('the salt of a cache reveals no key, and differs between projects', () => {
  const salt = cacheSalt(keyed({ prompt_cache_key: 'k' }));
  expect(salt).toMatch(/^[\w-]{43}$/);
  expect(cacheSalt(keyed({ prompt_cache_key: 'k' }, { project: 'q' }))).not.toBe(salt);
  expect(cacheSalt(keyed({}))).toBeUndefined();
});
