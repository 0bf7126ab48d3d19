import { beforeAll, describe, expect, test, vi } from 'vitest';
import { resolveOptions } from '../options.ts';
import { createSimulator } from '../simulator.ts';
import { collect, request } from '../testing/requests.ts';
import { loadTokenizer } from '../tokens/tokenizer.ts';
import { generate } from './generate.ts';
import { createRuntime } from './runtime.ts';

const reply = 'A fixed reply, with 🜚 in it.';
const engine = createSimulator({
  models: [{ id: 'canned', reply }, { id: 'three', reply, chunks: 3 }, { id: 'simulator' }],
});
let tokens: number;
beforeAll(async () => {
  tokens = (await loadTokenizer()).encode(reply).length;
});

describe('a model with a fixed reply', () => {
  test('returns its text to any prompt at any temperature, and counts real tokens', async () => {
    for (const temperature of [0, 1, 2]) {
      const { texts, usage, finishes, fingerprint } = await collect(
        engine,
        request('Who are you?', { model: 'canned', temperature, n: 2 }),
      );
      expect(texts).toEqual([reply, reply]);
      expect(finishes).toEqual(['stop', 'stop']);
      expect(usage).toMatchObject({ prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens });
      expect(fingerprint).toMatch(/^fp_/);
    }
  });

  test('streams it token by token, or in the configured number of pieces', async () => {
    const pieces = async (model: string): Promise<string[]> =>
      (await collect(engine, request('x', { model }))).all.flatMap((event) =>
        event.type === 'text' ? [event.text] : [],
      );
    const single = await pieces('canned');
    expect(single.slice(0, 4)).toEqual(['A', ' fixed', ' reply', ',']);
    // Only the tokens of a character that consists of several are sent together.
    expect(single.length).toBeLessThan(tokens);
    expect(single.every((text) => text !== '' && !text.includes('\ufffd'))).toBe(true);
    expect((await pieces('three')).length).toBe(3);
    expect((await collect(engine, request('x', { model: 'three' }))).tokens).toEqual([tokens]);
  });

  test('applies limits and stop sequences, and returns a probability of 1 for each token', async () => {
    const short = await collect(engine, request('x', { model: 'canned', max_completion_tokens: 3 }));
    expect([short.texts[0], short.finishes[0], short.tokens[0]]).toEqual(['A fixed reply', 'length', 3]);
    const stopped = await collect(engine, request('x', { model: 'canned', stop: ['xed rep'] }));
    expect([stopped.texts[0], stopped.finishes[0]]).toEqual(['A fi', 'stop']);
    const sure = await collect(engine, request('x', { model: 'canned', logprobs: true, top_logprobs: 2 }));
    expect(sure.logprobs[0]?.length).toBe(tokens);
    expect(sure.logprobs[0]?.every(({ logprob, top_logprobs: top }) => logprob === 0 && top.length === 1)).toBe(true);
  });

  test('counts a long prompt, but does not cache it', async () => {
    const runtime = await createRuntime(resolveOptions({ models: [{ id: 'canned', reply }] }));
    const measure = vi.spyOn(runtime.promptCache, 'measure');
    const prompt = request(' river'.repeat(9000), { model: 'canned' });
    const [model] = engine.models();
    if (!model) throw new Error('no model');
    const requestBody = { model: 'canned', messages: [], stream: true as const };
    const { signal } = new AbortController();
    const generated = generate(prompt, { requestId: 'r', project: 'p', model, requestBody, signal }, runtime);
    if (!(Symbol.asyncIterator in generated)) throw new Error('the prompt is not long');
    const events = (await Array.fromAsync(generated)).flat();
    // 6 tokens around the message.
    expect(events.at(-1)).toMatchObject({
      usage: { prompt_tokens: 9006, prompt_tokens_details: { cached_tokens: 0 } },
    });
    expect(measure).not.toHaveBeenCalled();
  });

  test('does not change other models of the engine', async () => {
    const { texts } = await collect(engine, request('ping', { temperature: 0 }));
    expect(texts[0]).toMatch(/^You wrote: “ping”/);
  });
});
