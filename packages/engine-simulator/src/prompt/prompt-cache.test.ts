import type { ChatRequest } from '@modelwire/ports';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPromptCache } from './prompt-cache.ts';
import type { CacheablePrompt } from './prompt-cache.ts';
import { createTokenCounter } from './token-counter.ts';
import { createSimulator } from '../simulator.ts';
import { collect, request } from '../testing/requests.ts';
import { loadTokenizer } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';

let tokenizer: Tokenizer;
let cache: ReturnType<typeof createPromptCache>;
beforeAll(async () => {
  tokenizer = await loadTokenizer();
});
beforeEach(() => {
  cache = createPromptCache(createTokenCounter(tokenizer));
});
afterEach(() => void vi.useRealTimers());

const scope = { project: 'p', model: 'm' };
const words = (count: number, word = 'river'): string => ` ${word}`.repeat(count);
const prompt = (...texts: string[]): CacheablePrompt => ({
  messages: texts.map((content) => ({ role: 'user', content })),
  tools: [],
  response_format: { type: 'text' },
  prompt_cache_key: undefined,
  prompt_cache_retention: undefined,
});
const reuse = async (prompt: CacheablePrompt, overrides: Partial<typeof scope> = {}): Promise<number> => {
  const { project, model } = { ...scope, ...overrides };
  return (await cache.measure(prompt, [project, model], () => undefined)).cached;
};

test('the choices of a request do not find what another one of them has cached', async () => {
  const long = prompt(...Array.from({ length: 50 }, (_, i) => words(100, `w${i}`)));
  const choices = Array.from({ length: 5 }, () => cache.measure({ ...long }, ['p', 'm'], () => undefined));
  const [first] = await Promise.all(choices);
  expect(await Promise.all(choices)).toEqual(choices.map(() => ({ ...first, cached: 0 })));
  expect(await reuse(long)).toBeGreaterThan(5000);
});

describe('prompts with the same messages that are measured at the same time', () => {
  const { messages } = prompt(...Array.from({ length: 50 }, (_, i) => words(100, `v${i}`)));
  const tools = [{ type: 'function', function: { name: 'look' } }] as const;

  test.each([
    ['tools', { tools }, scope],
    ['a response format', { response_format: { type: 'json_schema', json_schema: { name: 'reply' } } }, scope],
    ['another key', { prompt_cache_key: 'k' }, scope],
    ['another project', {}, { ...scope, project: 'q' }],
    ['another model', {}, { ...scope, model: 'n' }],
  ] as const)('are measured separately if one has %s', async (_, overrides, { project, model }) => {
    const plain = { ...prompt(), messages };
    const other = { ...plain, ...overrides };
    await cache.measure(other, [project, model], () => undefined);
    const expected = await createPromptCache(createTokenCounter(tokenizer)).measure(other, [], () => undefined);
    const [first, second] = await Promise.all([
      cache.measure(plain, ['p', 'm'], () => undefined),
      cache.measure(other, [project, model], () => undefined),
    ]);
    expect(first.cached).toBe(0);
    expect(second.tokens).toBe(expected.tokens);
    expect(second.cached).toBeGreaterThan(5000);
  });

  test('are measured again if the first client disconnects', async () => {
    const plain = { ...prompt(), messages };
    const disconnected = new Error('client disconnected');
    const first = cache.measure(plain, ['p', 'm'], () => Promise.reject(disconnected));
    const others = [1, 2].map(() => cache.measure(plain, ['p', 'm'], () => undefined));
    await expect(first).rejects.toBe(disconnected);
    const expected = await createPromptCache(createTokenCounter(tokenizer)).measure(plain, [], () => undefined);
    expect(await Promise.all(others)).toEqual([expected, expected]);
  });

  test('each reject with the reason of their own signal', async () => {
    const plain = { ...prompt(), messages };
    const reasons = [new Error('first'), new Error('second')];
    const results = reasons.map((reason) => cache.measure(plain, ['p', 'm'], () => Promise.reject(reason)));
    expect(await Promise.allSettled(results)).toEqual(reasons.map((reason) => ({ status: 'rejected', reason })));
  });
});

describe('prompts with a common prefix', () => {
  test('share their prefix in steps of 128 tokens, from 1024 tokens on', async () => {
    expect(await reuse(prompt(words(2000)))).toBe(0);
    // 3 tokens around the message, 2000 in it.
    expect(await reuse(prompt(words(2000)))).toBe(1920);
    expect(await reuse(prompt(words(1500) + words(500, 'clock')))).toBe(1408);
    expect(await reuse(prompt(words(1000) + words(1000, 'bread')))).toBe(0);
    expect(await reuse(prompt(words(2000), 'And more?'))).toBe(1920);
  });

  test('share nothing where tools, roles or calls before it differ', async () => {
    await reuse(prompt(words(2000)));
    const tools = [{ type: 'function', function: { name: 'look' } }] as const;
    expect(await reuse({ ...prompt(words(2000)), tools })).toBe(0);
    expect(await reuse({ ...prompt(), messages: [{ role: 'system', content: words(2000) }] })).toBe(0);
  });

  test('share nothing with those of another project, model or key', async () => {
    await reuse(prompt(words(2000)));
    for (const own of [{ project: 'q' }, { model: 'n' }]) expect(await reuse(prompt(words(2000)), own)).toBe(0);
    expect(await reuse({ ...prompt(words(2000)), prompt_cache_key: 'k' })).toBe(0);
    expect(await reuse(prompt(words(2000)))).toBe(1920);
  });

  test('are cached for ten minutes after the last use, or for a day with 24h', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const minutes = (count: number) => void vi.advanceTimersByTime(count * 60_000);
    await reuse(prompt(words(2000)));
    minutes(9);
    expect(await reuse(prompt(words(2000)))).toBe(1920);
    minutes(9);
    expect(await reuse(prompt(words(2000)))).toBe(1920);
    minutes(11);
    expect(await reuse({ ...prompt(words(2000)), prompt_cache_retention: '24h' })).toBe(0);
    minutes(60 * 23);
    expect(await reuse(prompt(words(2000)))).toBe(1920);
    minutes(60 * 2);
    expect(await reuse(prompt(words(2000)))).toBe(0);
  });
});

test('cached_tokens is the length of the prefix that a prompt shares with earlier ones of its key', async () => {
  const engine = createSimulator();
  const cached = async (content: string, overrides: Partial<ChatRequest> = {}) =>
    (await collect(engine, request(content, { max_completion_tokens: 1, ...overrides }))).usage?.prompt_tokens_details
      ?.cached_tokens;
  expect(await cached(words(1500))).toBe(0);
  expect(await cached(words(1500))).toBe(1408);
  expect(await cached(words(1500), { prompt_cache_key: 'mine' })).toBe(0);
  expect(await cached(words(900))).toBe(0);
});
