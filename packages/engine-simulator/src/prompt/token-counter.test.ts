import { beforeAll, describe, expect, test } from 'vitest';
import type { Prompt } from './segments.ts';
import { createTokenCounter } from './token-counter.ts';
import { loadTokenizer } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
});
const promptOf = (messages: Prompt['messages']): Prompt => ({ messages, tools: [], response_format: { type: 'text' } });
const user = (content: string): Prompt => promptOf([{ role: 'user', content }]);

describe('a prompt', () => {
  test('that is short or was counted before is counted synchronously', async () => {
    const counter = createTokenCounter(tokenizer);
    expect(counter.countNow(user('Hello, world'))).toBe(9);
    const long = user('привет мир '.repeat(5000));
    expect(counter.countNow(long)).toBeUndefined();
    const counted = await counter.count(long, () => undefined);
    expect(counter.countNow(long)).toBe(counted);
  });

  test('is short if all its messages and names together are short', () => {
    const counter = createTokenCounter(tokenizer);
    const many = Array.from({ length: 90 }, (_, i) => ({
      role: 'user' as const,
      content: `${i} ${'x y '.repeat(100)}`,
    }));
    expect(counter.countNow(promptOf(many))).toBeUndefined();
    expect(counter.countNow(promptOf([{ role: 'user', content: 'Hi', name: 'n '.repeat(5000) }]))).toBeUndefined();
  });

  test('includes tools, calls and the schema of the reply as JSON, each with 3 additional tokens', () => {
    const counter = createTokenCounter(tokenizer);
    const tokens = (text: string) => tokenizer.encode(text).length;
    const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } } as const;
    const json_schema = { name: 'reply', schema: { type: 'object' } };
    const plain = counter.countNow(user('Hello')) ?? 0;
    expect(counter.countNow({ ...user('Hello'), tools: [tool] })).toBe(
      plain + 3 + tokens(JSON.stringify(tool.function)),
    );
    expect(counter.countNow({ ...user('Hello'), response_format: { type: 'json_schema', json_schema } })).toBe(
      plain + 3 + tokens(JSON.stringify(json_schema)),
    );
    const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } } as const;
    expect(counter.countNow(promptOf([{ role: 'assistant', tool_calls: [call] }]))).toBe(
      3 + 3 + 3 + tokens('look {"at":1}'),
    );
  });

  test('that is long yields to the event loop at least every 1024 characters', async () => {
    for (const unit of ['привет мир ', 'مرحبا ', '漢', 'สวัสดี', '1 2,3 ', '.! ', '🜚', '\u0301', 'a', '\n']) {
      let yieldCount = 0;
      const text = unit.repeat(Math.ceil(200_000 / unit.length));
      await createTokenCounter(tokenizer).count(user(text), () => {
        yieldCount++;
        return undefined;
      });
      expect([unit, yieldCount >= text.length / 1024]).toEqual([unit, true]);
    }
  });

  test('is passed on at most 1024 tokens at a time with a pause after each, also if it was encoded before', async () => {
    const counter = createTokenCounter(tokenizer);
    const ids: number[][] = [];
    for (const encoding of ['first', 'second']) {
      let [calls, pauses, longest] = [0, 0, 0];
      const all: number[] = [];
      await counter.encode(
        user('some words '.repeat(10_000)),
        () => {
          pauses++;
          return undefined;
        },
        (batch) => {
          calls++;
          longest = Math.max(longest, batch.length);
          all.push(...Array.from(batch));
        },
      );
      expect([encoding, longest <= 1024, calls - pauses]).toEqual([encoding, true, 1]);
      ids.push(all);
    }
    expect(ids[1]).toEqual(ids[0]);
  });

  test('is cached in limited memory; the least recently used one is evicted', async () => {
    const counter = createTokenCounter(tokenizer, 600_000);
    const [recentlyUsed, evicted, tooLong] = ['a b '.repeat(2100), 'c d '.repeat(2100), 'e f '.repeat(40_000)].map(
      user,
    );
    if (!recentlyUsed || !evicted || !tooLong) throw new Error('no prompt');
    for (const prompt of [recentlyUsed, evicted, tooLong]) await counter.count(prompt, () => undefined);
    expect([recentlyUsed, evicted].map((prompt) => counter.countNow(prompt) !== undefined)).toEqual([true, true]);
    expect(counter.countNow(tooLong)).toBeUndefined();
    for (let i = 0; i < 400; i++) {
      expect(counter.countNow(user(`${i} ${'x '.repeat(1000)}`))).toBeGreaterThan(1000);
      expect(counter.countNow(recentlyUsed)).toBeDefined();
    }
    expect(counter.countNow(evicted)).toBeUndefined();
  });

  test('is not counted further after the client disconnects', async () => {
    const abortReason = new Error('client disconnected');
    let yieldCount = 0;
    const counting = createTokenCounter(tokenizer).count(user('漢'.repeat(100_000)), () => {
      yieldCount++;
      return Promise.reject(abortReason);
    });
    await expect(counting).rejects.toBe(abortReason);
    expect(yieldCount).toBe(1);
  });
});
