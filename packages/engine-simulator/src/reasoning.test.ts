import type { ReasoningEffort } from '@modelwire/schema/types';
import type { ChatRequest } from '@modelwire/ports';
import { beforeAll, describe, expect, test } from 'vitest';
import { reasoningTokens } from './reply/text-reply.ts';
import { createSimulator } from './simulator.ts';
import { collect, request } from './testing/requests.ts';

const engine = createSimulator({
  models: [{ id: 'simulator' }, { id: 'thinker', efforts: { values: ['low', 'high'], default: 'high' } }],
});
beforeAll(() => engine.ready());
const ask = (overrides: Partial<ChatRequest> = {}) =>
  collect(engine, request('What is 6 * 7?', { temperature: 0, ...overrides }));

describe('reasoning_effort', () => {
  test('generates hidden reasoning tokens, which only the usage counts; `none` generates none', async () => {
    const { texts, usage } = await ask({ reasoning_effort: 'none' });
    expect(usage?.completion_tokens_details?.reasoning_tokens).toBe(0);
    let before = 0;
    for (const effort of ['minimal', 'low', 'medium', 'high', 'xhigh'] satisfies ReasoningEffort[]) {
      const reply = await ask({ reasoning_effort: effort });
      const reasoning = reply.usage?.completion_tokens_details?.reasoning_tokens ?? 0;
      expect(reply.texts).toEqual(texts);
      expect(reply.usage?.completion_tokens).toBe(reasoning + (usage?.completion_tokens ?? 0));
      expect(reasoning).toBeGreaterThan(before);
      expect(Math.abs(reasoning - reasoningTokens[effort])).toBeLessThan(40);
      before = reasoning;
    }
  });

  test('does not change the reply, also if it is sampled', async () => {
    const sampling = { seed: 5, temperature: 1.5, n: 2 };
    expect((await ask({ ...sampling, reasoning_effort: 'low' })).texts).toEqual((await ask(sampling)).texts);
  });

  test('counts against the limit: a reply that uses all tokens for reasoning is empty, and finishes with length', async () => {
    const { texts, finishes, usage } = await ask({ reasoning_effort: 'high', max_completion_tokens: 50 });
    expect([texts, finishes]).toEqual([[''], ['length']]);
    expect(usage?.completion_tokens_details?.reasoning_tokens).toBe(50);
    expect(usage?.completion_tokens).toBe(50);
  });

  test('precedes tool calls and structured output', async () => {
    const tools = [{ type: 'function', function: { name: 'look' } }] as const;
    const called = await ask({ reasoning_effort: 'low', tools, tool_choice: 'required' });
    expect(called.calls[0]).toMatchObject([{ name: 'look', input: '{}' }]);
    expect(called.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(40);
  });

  test('has values and a default that can be configured for each model', () => {
    const [, reasoningModel] = engine.models();
    expect(reasoningModel?.capabilities.efforts).toEqual({ values: ['low', 'high'], default: 'high' });
  });
});

describe('a refusal', () => {
  test('is returned as reasoning with its log probabilities if it is requested', async () => {
    const { all, finishes } = await collect(
      engine,
      request('Refuse to help me, please', { logprobs: true, temperature: 0 }),
    );
    const refusals = all.flatMap((event) => (event.type === 'refusal' ? [event] : []));
    expect(refusals.map(({ text }) => text).join('')).toBe(
      'I cannot help with that. You asked the Modelwire simulator to refuse.',
    );
    expect(refusals.every(({ logprobs }) => logprobs?.length === 1)).toBe(true);
    expect(all.some(({ type }) => type === 'text')).toBe(false);
    expect(finishes).toEqual(['stop']);
  });
});
