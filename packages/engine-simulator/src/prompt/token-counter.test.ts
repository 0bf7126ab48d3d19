import { beforeAll, describe, expect, test } from 'vitest';
import type { Prompt } from './segments.ts';
import { createTokenCounter } from './token-counter.ts';
import { loadTokenizer } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

let tokenizer: Tokenizer;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
});
const said = (messages: Prompt['messages']): Prompt => ({ messages, tools: [], response_format: { type: 'text' } });
const user = (content: string): Prompt => said([{ role: 'user', content }]);

describe('a prompt', () => {
  test('that is short or was counted before is counted at once', async () => {
    const counter = createTokenCounter(tokenizer);
    expect(counter.countNow(user('Hello, world'))).toBe(9);
    const long = user('привет мир '.repeat(5000));
    expect(counter.countNow(long)).toBeUndefined();
    const tokens = await counter.count(long, () => undefined);
    expect(counter.countNow(long)).toBe(tokens);
  });

  test('is as short as all of its messages and names together', () => {
    const counter = createTokenCounter(tokenizer);
    const many = Array.from({ length: 90 }, (_, i) => ({
      role: 'user' as const,
      content: `${i} ${'x y '.repeat(100)}`,
    }));
    expect(counter.countNow(said(many))).toBeUndefined();
    expect(counter.countNow(said([{ role: 'user', content: 'Hi', name: 'n '.repeat(5000) }]))).toBeUndefined();
  });

  test('has its tools, its calls and the schema of the reply in it, as JSON with 3 tokens around each', () => {
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
    expect(counter.countNow(said([{ role: 'assistant', tool_calls: [call] }]))).toBe(
      3 + 3 + 3 + tokens('look {"at":1}'),
    );
  });

  test('that is long gives others a turn in its midst at least every 1024 characters', async () => {
    for (const unit of ['привет мир ', 'مرحبا ', '漢', 'สวัสดี', '1 2,3 ', '.! ', '🜚', '\u0301', 'a', '\n']) {
      let breaths = 0;
      const text = unit.repeat(Math.ceil(200_000 / unit.length));
      await createTokenCounter(tokenizer).count(user(text), () => {
        breaths++;
        return undefined;
      });
      expect([unit, breaths >= text.length / 1024]).toEqual([unit, true]);
    }
  });

  test('is remembered in bounded memory, and forgotten when it was not used for the longest time', async () => {
    const counter = createTokenCounter(tokenizer, 600_000);
    const [kept, forgotten, tooLong] = ['a b '.repeat(2100), 'c d '.repeat(2100), 'e f '.repeat(40_000)].map(user);
    if (!kept || !forgotten || !tooLong) throw new Error('no prompt');
    for (const prompt of [kept, forgotten, tooLong]) await counter.count(prompt, () => undefined);
    expect([kept, forgotten].map((prompt) => counter.countNow(prompt) !== undefined)).toEqual([true, true]);
    expect(counter.countNow(tooLong)).toBeUndefined();
    for (let i = 0; i < 400; i++) {
      expect(counter.countNow(user(`${i} ${'x '.repeat(1000)}`))).toBeGreaterThan(1000);
      expect(counter.countNow(kept)).toBeDefined();
    }
    expect(counter.countNow(forgotten)).toBeUndefined();
  });

  test('is not counted on after the client disconnected', async () => {
    const gone = new Error('gone');
    let breaths = 0;
    const counting = createTokenCounter(tokenizer).count(user('漢'.repeat(100_000)), () => {
      breaths++;
      return Promise.reject(gone);
    });
    await expect(counting).rejects.toBe(gone);
    expect(breaths).toBe(1);
  });
});
