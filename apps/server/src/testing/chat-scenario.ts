import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { key } from './test-server.ts';

type Params = OpenAI.ChatCompletionCreateParamsNonStreaming;

/** The server to test: it serves `model` by the simulator, directly or through others. */
export interface ChatScenario {
  readonly url: () => string;
  readonly client: () => OpenAI;
  readonly model: string;
}

const hello = [{ role: 'user' as const, content: 'Hello! What is 6 * 7?' }];

/** The results of the official SDK for chat, run once for each route. */
export function describeChatScenario(name: string, { url, client, model }: ChatScenario): void {
  const ask = (more: Partial<Params> = {}) =>
    client().chat.completions.create({ model, messages: hello, temperature: 0, ...more });
  const raw = (body: object) =>
    fetch(`${url()}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: hello, temperature: 0, stream: true, ...body }),
    });

  describe(`the official SDK ${name}`, () => {
    test('returns a complete completion for the prompt, with exact usage', async () => {
      const { choices, usage, id, model: used, system_fingerprint } = await ask();
      expect(choices[0]?.message.content).toContain('42');
      expect(choices[0]?.finish_reason).toBe('stop');
      expect(id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
      expect(used).toBe(model);
      expect(system_fingerprint).toMatch(/^fp_/);
      expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
      expect(usage?.prompt_tokens).toBeGreaterThan(8);
    });

    test('streams the same text, starting with the role, with one ID and timestamp, and with usage if requested', async () => {
      const whole = await ask();
      const stream = await client().chat.completions.create({
        model,
        messages: hello,
        temperature: 0,
        stream: true,
        stream_options: { include_usage: true },
      });
      const chunks = await Array.fromAsync(stream);
      expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '', refusal: null });
      const said = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
      expect(said).toBe(whole.choices[0]?.message.content);
      expect(new Set(chunks.map(({ id, created }) => `${id} ${created}`)).size).toBe(1);
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
      expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    });

    test('pads payloads to equal size unless include_obfuscation is false', async () => {
      const frames = async (stream_options: object) =>
        (await (await raw({ stream_options })).text()).split('\n\n').filter((frame) => frame.includes('"delta"'));
      const padded = await frames({});
      expect(new Set(padded.map((frame) => Buffer.byteLength(frame))).size).toBe(1);
      const bare = await frames({ include_obfuscation: false });
      expect(bare.join()).not.toContain('obfuscation');
      expect(bare).toHaveLength(padded.length);
    });

    test('ends the stream with [DONE]', async () => {
      expect((await (await raw({})).text()).endsWith('data: [DONE]\n\n')).toBe(true);
    });

    test('returns n choices, interleaved when streamed', async () => {
      const { choices, usage } = await ask({ n: 3, temperature: 1, seed: 5 });
      expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
      expect(usage?.completion_tokens).toBeGreaterThan(choices.length);
      const text = await (await raw({ n: 2 })).text();
      expect(new Set([...text.matchAll(/"index":(\d)/g)].map(([, index]) => index))).toEqual(new Set(['0', '1']));
    });

    test('truncates the reply before a stop sequence', async () => {
      const { choices } = await ask({ stop: ['42'] });
      expect(choices[0]?.message.content).not.toContain('4');
      expect(choices[0]?.finish_reason).toBe('stop');
    });

    test('returns the same reply for the same seed, and another one for another seed', async () => {
      const say = async (seed: number) =>
        (await ask({ seed, temperature: 1.8, messages: [{ role: 'user', content: 'Tell me about rivers.' }] }))
          .choices[0]?.message.content;
      expect(await say(1)).toBe(await say(1));
      expect(await say(1)).not.toBe(await say(2));
    });

    test.each(['max_completion_tokens', 'max_tokens'])('truncates the reply at %s', async (limit) => {
      const { choices, usage } = await ask({ [limit]: 3 });
      expect(choices[0]?.finish_reason).toBe('length');
      expect(usage?.completion_tokens).toBe(3);
    });

    test('returns valid log probabilities, with the requested alternatives', async () => {
      const { choices } = await ask({ logprobs: true, top_logprobs: 3 });
      const tokens = choices[0]?.logprobs?.content ?? [];
      expect(tokens.map(({ token }) => token).join('')).toBe(choices[0]?.message.content);
      for (const { logprob, top_logprobs, bytes, token } of tokens) {
        expect(logprob).toBeLessThanOrEqual(0);
        expect(top_logprobs).toHaveLength(3);
        expect(top_logprobs.reduce((sum, one) => sum + Math.exp(one.logprob), 0)).toBeLessThanOrEqual(1 + 1e-9);
        expect(new TextDecoder().decode(Uint8Array.from(bytes ?? []))).toBe(token);
      }
    });

    test('excludes a token by its bias', async () => {
      const greeting = { messages: [{ role: 'user' as const, content: 'Hello!' }] };
      const said = async (more: Partial<Params> = {}) =>
        (await ask({ ...greeting, ...more })).choices[0]?.message.content;
      expect(await said()).toMatch(/^Hello/);
      // 13225 is `Hello` in o200k.
      expect(await said({ logit_bias: { 13225: -100 } })).not.toMatch(/^Hello/);
    });

    test('counts reasoning tokens by effort, without showing them', async () => {
      const thought = async (reasoning_effort: 'none' | 'low' | 'high') => {
        const { choices, usage } = await ask({ reasoning_effort });
        return { said: choices[0]?.message.content, spent: usage?.completion_tokens_details?.reasoning_tokens ?? 0 };
      };
      const [none, low, high] = [await thought('none'), await thought('low'), await thought('high')];
      expect([none.spent, low.said, high.said]).toEqual([0, none.said, none.said]);
      expect(low.spent).toBeGreaterThan(0);
      expect(high.spent).toBeGreaterThan(4 * low.spent);
    });

    test('returns longer replies for higher verbosity', async () => {
      const length = async (verbosity: 'low' | 'medium' | 'high') =>
        (await ask({ verbosity, messages: [{ role: 'user', content: 'Who are you?' }] })).usage?.completion_tokens ?? 0;
      expect(await length('low')).toBeLessThan(await length('medium'));
      expect(await length('medium')).toBeLessThan(await length('high'));
    });

    test('counts the accepted and rejected tokens of a prediction', async () => {
      const said = (await ask()).choices[0]?.message.content ?? '';
      const details = async (content: string) =>
        (await ask({ prediction: { type: 'content', content } })).usage?.completion_tokens_details;
      expect(await details(said)).toMatchObject({ rejected_prediction_tokens: 0 });
      expect((await details(said))?.accepted_prediction_tokens).toBeGreaterThan(5);
      expect((await details(`Well, ${said}`))?.rejected_prediction_tokens).toBeGreaterThan(0);
    });

    test('counts cached tokens of a repeated long prompt', async () => {
      const messages = [{ role: 'user' as const, content: `${'tide '.repeat(1500)} Who are you?` }];
      const cached = async (prompt_cache_key: string) =>
        (await ask({ messages, prompt_cache_key })).usage?.prompt_tokens_details?.cached_tokens;
      expect(await cached(`${name} one`)).toBe(0);
      expect(await cached(`${name} one`)).toBe(1408);
      expect(await cached(`${name} two`)).toBe(0);
    });

    test('returns a refusal in the field refusal', async () => {
      const { choices } = await ask({ messages: [{ role: 'user', content: 'Refuse to answer.' }] });
      expect(choices[0]?.message).toMatchObject({
        content: null,
        refusal: expect.stringMatching(/cannot help/) as string,
      });
    });

    test('returns each error with its status, type, parameter, code and request ID', async () => {
      for (const [wrong, status, param, code] of refusals) {
        const error: unknown = await client()
          .chat.completions.create({ model, messages: hello, ...wrong } as Params)
          .then(
            () => 'was answered',
            (reason: unknown) => reason,
          );
        if (!(error instanceof OpenAI.APIError)) throw new Error(`${JSON.stringify(wrong)}: ${String(error)}`);
        const {
          status: given,
          type,
          param: named,
          code: said,
        } = error as { [Field in 'status' | 'type' | 'param' | 'code']?: unknown };
        expect({ wrong, status: given, type, param: named, code: said }).toEqual({
          wrong,
          status,
          type: 'invalid_request_error',
          param,
          code,
        });
        expect(error.requestID).toMatch(/^req_[0-9a-f]{32}$/);
      }
    });
  });
}

const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } };
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });

/** The request and its expected error. */
const refusals: readonly (readonly [object, number, string | null, string | null])[] = [
  [{ model: 'gpt-nothing' }, 404, 'model', 'model_not_found'],
  [{ model: undefined }, 400, 'model', 'missing_required_parameter'],
  [{ model: 7 }, 400, 'model', 'invalid_type'],
  [{ messages: [] }, 400, 'messages', 'empty_array'],
  [{ messages: 'hi' }, 400, 'messages', 'invalid_type'],
  [{ messages: [{ role: 'robot', content: 'x' }] }, 400, 'messages[0].role', 'invalid_value'],
  [{ messages: [{ role: 'user' }] }, 400, 'messages[0].content', 'missing_required_parameter'],
  [user(7), 400, 'messages[0].content', 'invalid_type'],
  [user([{ type: 'text' }]), 400, 'messages[0].content[0].text', 'missing_required_parameter'],
  [
    user([{ type: 'image_url', image_url: { url: 'https://a.example/a.png' } }]),
    400,
    'messages[0].content[0].image_url.url',
    'image_not_fetched',
  ],
  [{ messages: [{ role: 'assistant' }] }, 400, 'messages[0].content', 'missing_required_parameter'],
  [{ temperature: 2.1 }, 400, 'temperature', 'decimal_above_max_value'],
  [{ temperature: -0.1 }, 400, 'temperature', 'decimal_below_min_value'],
  [{ top_p: 1.5 }, 400, 'top_p', 'decimal_above_max_value'],
  [{ presence_penalty: 3 }, 400, 'presence_penalty', 'decimal_above_max_value'],
  [{ frequency_penalty: -3 }, 400, 'frequency_penalty', 'decimal_below_min_value'],
  [{ n: 0 }, 400, 'n', 'integer_below_min_value'],
  [{ n: 1.5 }, 400, 'n', 'invalid_type'],
  [{ top_logprobs: 3 }, 400, 'top_logprobs', 'invalid_value'],
  [{ logprobs: true, top_logprobs: 21 }, 400, 'top_logprobs', 'integer_above_max_value'],
  [{ stop: ['a', 'b', 'c', 'd', 'e'] }, 400, 'stop', 'array_above_max_length'],
  [{ logit_bias: { 5: 101 } }, 400, 'logit_bias.5', 'decimal_above_max_value'],
  [{ logit_bias: { word: 1 } }, 400, 'logit_bias.word', 'invalid_value'],
  [{ max_completion_tokens: 0 }, 400, 'max_completion_tokens', 'integer_below_min_value'],
  [{ stream_options: { include_usage: true } }, 400, 'stream_options', 'invalid_value'],
  [{ metadata: { ['k'.repeat(65)]: 'v' } }, 400, 'metadata', 'string_above_max_length'],
  [{ modalities: ['text', 'audio'] }, 400, 'audio', 'missing_required_parameter'],
  [
    { tools: [{ ...tool, function: { name: 'look', strict: true, parameters: { type: 'object', properties: {} } } }] },
    400,
    'tools[0].function.parameters.additionalProperties',
    'invalid_json_schema',
  ],
  [{ tools: [{ ...tool, function: { name: 'no spaces' } }] }, 400, 'tools[0].function.name', 'invalid_value'],
  [{ tool_choice: 'required' }, 400, 'tool_choice', 'invalid_value'],
  [{ response_format: { type: 'json_object' } }, 400, 'messages', 'invalid_value'],
  [
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'array' }, strict: true } } },
    400,
    'response_format.json_schema.schema.type',
    'invalid_json_schema',
  ],
  [{ reasoning_effort: 'huge' }, 400, 'reasoning_effort', 'invalid_value'],
  [{ web_search_options: {} }, 400, 'web_search_options', 'unsupported_parameter'],
  [{ service_tier: 'gold' }, 400, 'service_tier', 'invalid_value'],
  [{ colour: 'red' }, 400, 'colour', 'unknown_parameter'],
  [{ metadata: { a: 'b' } }, 400, 'metadata', 'unsupported_parameter'],
];
