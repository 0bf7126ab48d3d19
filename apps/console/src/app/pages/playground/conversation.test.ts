import { expect, it } from 'vitest';
import { messagesOf, createTurn, textOf, tokensPerSecond } from './conversation.ts';

it('omits replies that failed before their first token', () => {
  const question = createTurn({ role: 'user', content: 'Hello!' });
  const failed = createTurn({ role: 'assistant', content: '' });
  expect(messagesOf([question, failed])).toEqual([question.message]);
});

it('keeps replies that only call tools', () => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } } as const;
  const reply = createTurn({ role: 'assistant', content: null, tool_calls: [call] });
  expect(messagesOf([reply])).toHaveLength(1);
});

it('joins the text parts of a message', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,' } } as const;
  expect(textOf({ role: 'user', content: [{ type: 'text', text: 'a' }, image, { type: 'text', text: 'b' }] })).toBe(
    'ab',
  );
});

it('counts tokens per second after the first token, and returns undefined if the whole reply arrives with the first token', () => {
  const usage = { prompt_tokens: 1, completion_tokens: 11, total_tokens: 12 };
  const generation = { status: 'finished', isStored: false, logprobs: [], usage, firstTokenMs: 500 } as const;
  expect(tokensPerSecond({ ...generation, durationMs: 1500 })).toBe(10);
  expect(tokensPerSecond({ ...generation, durationMs: 510 })).toBeUndefined();
});
