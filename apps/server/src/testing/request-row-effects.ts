import { createSimulator } from '@modelwire/engine-simulator';
import { createServer } from '@modelwire/server';
import type { RequestLogEntry } from '@modelwire/server';
import { expect, vi } from 'vitest';
import type OpenAI from 'openai';
import { ask, textOf } from './request-row.ts';
import type { RowContext, Row } from './request-row.ts';
import type { More } from './minimal-upstream.ts';

const part = (of: object) => of as OpenAI.ChatCompletionContentPart;
const text = (content: string) => part({ type: 'text', text: content });
const file = part({
  type: 'file',
  file: { file_data: Buffer.from('Secret word: marmalade.').toString('base64'), filename: 'word.txt' },
});
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = (detail: string) =>
  part({ type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}`, detail } });

function wav(seconds: number): string {
  const bytes = Buffer.alloc(44 + seconds * 16_000);
  bytes.write('RIFF');
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt32LE(0x0001_0001, 20);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(16_000, 28);
  bytes.write('data', 36);
  bytes.writeUInt32LE(seconds * 16_000, 40);
  return bytes.toString('base64');
}

const asked = (...content: OpenAI.ChatCompletionContentPart[]) => ({ messages: [{ role: 'user' as const, content }] });

/** The log entry of a request: these fields have no other effect. */
async function logged(more: object): Promise<RequestLogEntry | undefined> {
  const entries: RequestLogEntry[] = [];
  const server = createServer({ engines: [createSimulator()], keys: 'open', log: (entry) => void entries.push(entry) });
  const body = JSON.stringify({ model: 'simulator', messages: [{ role: 'user', content: 'Hi' }], ...more });
  const headers = { 'content-type': 'application/json' };
  const response = await server.fetch(new Request('http://x/v1/chat/completions', { method: 'POST', body, headers }));
  await response.text();
  await vi.waitFor(() => expect(entries).toHaveLength(1), { timeout: 60_000 });
  await server.close();
  return entries[0];
}

const identified: Record<'safety_identifier' | 'user', Row> = {
  async safety_identifier(context) {
    expect((await ask(context, { safety_identifier: 'person-1' })).choices).toHaveLength(1);
    expect((await logged({ safety_identifier: 'person-1' }))?.safetyIdentifier).toBe('person-1');
  },
  async user(context) {
    const { id } = await ask(context, { user: 'person-2', store: true });
    expect(await context.client.chat.completions.retrieve(id)).toMatchObject({ input_user: 'person-2' });
    expect((await logged({ user: 'person-2' }))?.safetyIdentifier).toBe('person-2');
  },
};

const weather = (name: string) => ({
  type: 'function' as const,
  function: {
    name,
    description: name === 'get_time' ? 'Tells the time in a city' : 'Get the weather for a location',
    parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
  },
});
const tools = [weather('get_weather'), weather('get_time')];
const both = 'What is the weather in Paris, and what time is it in Tokyo?';
const errorLogFields = ({ choices }: OpenAI.ChatCompletion) =>
  choices[0]?.message.tool_calls?.map((call) => (call.type === 'function' ? call.function.name : call.custom.name));

/** Log probabilities at temperature 0, which reveal every change of the distribution. */
async function probabilities(context: RowContext, more: object): Promise<string> {
  const { choices } = await ask(
    context,
    { logprobs: true, temperature: 0, seed: 1, ...more },
    'Count from one to twelve.',
  );
  return JSON.stringify(choices[0]?.logprobs?.content?.map(({ token, logprob }) => [token, logprob]));
}

/** Expects the same text for two seeds at a high temperature. */
async function narrows(context: RowContext, more: object): Promise<void> {
  const say = (seed: number, parameters: object) =>
    textOf(context, { ...parameters, seed, temperature: 1.8 }, 'Tell me of rivers.');
  expect(await say(1, more)).toBe(await say(2, more));
  expect(await say(1, {})).not.toBe(await say(2, {}));
}

const long = ' river'.repeat(1500);

export const simulatorSpecific: Readonly<Record<string, Row>> = {
  ...identified,
  async messages(context) {
    const tokens = async (...parts: OpenAI.ChatCompletionContentPart[]) => (await ask(context, asked(...parts))).usage;
    const plain = (await tokens(text('Hi')))?.prompt_tokens ?? 0;
    expect((await tokens(text('Hi'), image('low')))?.prompt_tokens).toBe(plain + 85);
    expect((await tokens(text('Hi'), image('high')))?.prompt_tokens).toBe(plain + 255);
    const audio = part({ type: 'input_audio', input_audio: { data: wav(2), format: 'wav' } });
    expect(await tokens(text('Hi'), audio)).toMatchObject({
      ...{ prompt_tokens: plain + 20, prompt_tokens_details: { audio_tokens: 20 } },
    });
    expect(await textOf(context, asked(text('Repeat after me:'), file))).toContain('marmalade');
    const told = [{ role: 'developer' as const, content: 'Answer in one word.' }, ...asked(text('2 + 2?')).messages];
    expect(await textOf(context, { messages: told, temperature: 0 })).toMatch(/^\S+$/);
  },
  async reasoning_effort(context) {
    const thought = async (reasoning_effort: 'none' | 'high') =>
      (await ask(context, { reasoning_effort })).usage?.completion_tokens_details?.reasoning_tokens ?? 0;
    expect(await thought('none')).toBe(0);
    expect(await thought('high')).toBeGreaterThan(0);
  },
  async frequency_penalty(context) {
    expect(await probabilities(context, { frequency_penalty: 2 })).not.toBe(await probabilities(context, {}));
  },
  async presence_penalty(context) {
    expect(await probabilities(context, { presence_penalty: 2 })).not.toBe(await probabilities(context, {}));
  },
  async logit_bias(context) {
    const more = { logit_bias: { 1000: 100 }, logprobs: true, max_completion_tokens: 4 };
    const { choices } = await ask(context, more);
    expect(new Set(choices[0]?.logprobs?.content?.map(({ token }) => token)).size).toBe(1);
  },
  async logprobs(context) {
    const { choices } = await ask(context, { logprobs: true });
    const tokens = choices[0]?.logprobs?.content?.map(({ token }) => token) ?? [];
    expect(tokens.join('')).toBe(choices[0]?.message.content);
    expect((await ask(context, {})).choices[0]?.logprobs).toBeNull();
    const refusing = await ask(context, { logprobs: true }, 'Refuse to answer, please');
    const { message, logprobs } = refusing.choices[0] ?? {};
    expect(logprobs?.content).toBeNull();
    expect(logprobs?.refusal?.map(({ token }) => token).join('')).toBe(message?.refusal);
  },
  async top_logprobs(context) {
    const { choices } = await ask(context, { logprobs: true, top_logprobs: 3 });
    expect(choices[0]?.logprobs?.content?.[0]?.top_logprobs).toHaveLength(3);
    await expect(ask(context, { top_logprobs: 3 })).rejects.toMatchObject({ param: 'top_logprobs' });
  },
  async prediction(context) {
    const said = await textOf(context, { seed: 4, temperature: 0 });
    const prediction = { type: 'content' as const, content: said };
    const { usage } = await ask(context, { seed: 4, temperature: 0, prediction });
    expect(usage?.completion_tokens_details?.accepted_prediction_tokens).toBeGreaterThan(0);
  },
  async seed(context) {
    const say = (seed: number) => textOf(context, { seed, temperature: 1.5 }, 'Tell me about rivers.');
    expect(await say(7)).toBe(await say(7));
    expect(await say(7)).not.toBe(await say(8));
  },
  async stop(context) {
    const { choices } = await ask(context, { temperature: 0, stop: ['three'] }, 'Count from one to five in words.');
    expect(choices[0]).toMatchObject({ finish_reason: 'stop' });
    expect(choices[0]?.message.content).not.toContain('three');
  },
  async temperature(context) {
    const say = (temperature: number, seed: number) => textOf(context, { temperature, seed }, 'Tell me about rivers.');
    expect(await say(0, 1)).toBe(await say(0, 2));
    expect(await say(1.8, 1)).not.toBe(await say(1.8, 2));
  },
  async top_p(context) {
    const say = (top_p: number, seed: number) =>
      textOf(context, { top_p, seed, temperature: 1.8 }, 'Tell me of rivers.');
    expect(await say(0, 1)).toBe(await say(0, 2));
    expect(await say(1, 1)).not.toBe(await say(1, 2));
  },
  async top_k(context) {
    await narrows(context, { top_k: 1 });
  },
  async min_p(context) {
    await narrows(context, { min_p: 1 });
  },
  async typical_p(context) {
    await narrows(context, { typical_p: 0 });
  },
  async repeat_penalty(context) {
    expect(await probabilities(context, { repeat_penalty: 1.5 })).not.toBe(await probabilities(context, {}));
  },
  async tools(context) {
    const reply = await ask(context, { tools, temperature: 0 }, 'What is the weather in Paris?');
    expect([reply.choices[0]?.finish_reason, errorLogFields(reply)]).toEqual(['tool_calls', ['get_weather']]);
  },
  async tool_choice(context) {
    const named = { type: 'function' as const, function: { name: 'get_time' } };
    expect(errorLogFields(await ask(context, { tools, tool_choice: named }))).toEqual(['get_time']);
    expect(errorLogFields(await ask(context, { tools, tool_choice: 'none' }, both))).toBeUndefined();
    const allowed_tools = { mode: 'required' as const, tools: [named] };
    const allowed = { type: 'allowed_tools' as const, allowed_tools };
    expect(new Set(errorLogFields(await ask(context, { tools, tool_choice: allowed }, both)))).toEqual(
      new Set(['get_time']),
    );
  },
  async parallel_tool_calls(context) {
    expect(errorLogFields(await ask(context, { tools, temperature: 0 }, both))).toHaveLength(2);
    expect(
      errorLogFields(await ask(context, { tools, temperature: 0, parallel_tool_calls: false }, both)),
    ).toHaveLength(1);
  },
  async prompt_cache_key(context) {
    const cached = async (prompt_cache_key: string) =>
      (await ask(context, { prompt_cache_key, max_completion_tokens: 1 }, long)).usage?.prompt_tokens_details
        ?.cached_tokens;
    expect([await cached('a'), await cached('b'), await cached('a')]).toEqual([0, 0, 1408]);
  },
  async prompt_cache_options(context) {
    const asking = (parts: More) =>
      ask(context, { max_completion_tokens: 1, prompt_cache_key: 'options', ...parts }, long);
    const explicit = { prompt_cache_options: { mode: 'explicit' as const } };
    const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' as const, ttl: '30m' as const } };
    const marked = {
      messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: long, ...breakpoint }] }],
    };
    const counts = async (more: More) => {
      const { cached_tokens, cache_write_tokens } = (await asking(more)).usage?.prompt_tokens_details ?? {};
      return [cached_tokens, cache_write_tokens];
    };
    expect([await counts(explicit), await counts(explicit)]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect([await counts({ ...explicit, ...marked }), await counts({ ...explicit, ...marked })]).toEqual([
      [0, 1408],
      [1408, 0],
    ]);
  },
  async prompt_cache_retention(context) {
    const cached = async (prompt_cache_retention: '24h' | undefined, key: string) => {
      const more = { max_completion_tokens: 1, prompt_cache_key: key };
      const { usage } = await ask(
        context,
        { ...more, ...(prompt_cache_retention && { prompt_cache_retention }) },
        long,
      );
      return usage?.prompt_tokens_details?.cached_tokens;
    };
    await cached('24h', 'day');
    await cached(undefined, 'minutes');
    const monotonicNow = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => monotonicNow() + 3_600_000);
    try {
      expect([await cached(undefined, 'day'), await cached(undefined, 'minutes')]).toEqual([1408, 0]);
    } finally {
      clock.mockRestore();
    }
  },
  async verbosity(context) {
    const length = async (verbosity: 'low' | 'medium' | 'high') =>
      (await textOf(context, { verbosity, temperature: 0 }, 'Who are you?')).length;
    const [low, medium, high] = [await length('low'), await length('medium'), await length('high')];
    expect(low < medium && medium < high).toBe(true);
  },
  async function_call(context) {
    const functions = tools.map((tool) => tool.function);
    const { choices } = await ask(context, { functions, function_call: { name: 'get_time' } });
    expect(choices[0]).toMatchObject({
      finish_reason: 'function_call',
      message: { function_call: { name: 'get_time' } },
    });
  },
  async functions(context) {
    const functions = tools.map((tool) => tool.function);
    const { choices } = await ask(context, { functions, temperature: 0 }, 'What is the weather in Paris?');
    expect(choices[0]).toMatchObject({
      finish_reason: 'function_call',
      message: { function_call: { name: 'get_weather' } },
    });
  },
};

export const plainSpecific: Readonly<Record<string, Row>> = {
  ...identified,
  async messages(context) {
    await ask(context, asked(text('Read:'), file));
    expect(JSON.stringify(context.sent.at(-1)?.messages)).toContain('marmalade');
    for (const other of [image('low'), part({ type: 'input_audio', input_audio: { data: wav(1), format: 'wav' } })]) {
      await expect(ask(context, asked(other))).rejects.toMatchObject({ param: 'messages[0].content[0].type' });
    }
    const developer = { messages: [{ role: 'developer' as const, content: 'x' }] };
    await expect(ask(context, developer)).rejects.toMatchObject({ param: 'messages[0].role' });
  },
  async temperature(context) {
    await ask(context, { temperature: 0.25 });
    expect(context.sent.at(-1)?.temperature).toBe(0.25);
  },
  async stop(context) {
    const { choices } = await ask(context, { stop: [' three'] });
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'One two' } });
  },
};

const look = { name: 'look', parameters: { type: 'object' } };
const functions = [look];
const lookTools = [{ type: 'function' as const, function: look }];

/** Fields that a minimal upstream lacks and the server cannot emulate: a request, and the `param` of the error if it differs. */
export const refusedByPlain: Readonly<Record<string, { readonly more: More; readonly param?: string }>> = {
  reasoning_effort: { more: { reasoning_effort: 'low' } },
  frequency_penalty: { more: { frequency_penalty: 1 } },
  presence_penalty: { more: { presence_penalty: 1 } },
  logit_bias: { more: { logit_bias: { 1000: 5 } } },
  logprobs: { more: { logprobs: true } },
  top_logprobs: { more: { logprobs: true, top_logprobs: 2 }, param: 'logprobs' },
  prediction: { more: { prediction: { type: 'content', content: 'One two' } } },
  seed: { more: { seed: 1 } },
  top_p: { more: { top_p: 0.5 } },
  top_k: { more: { top_k: 5 } },
  min_p: { more: { min_p: 0.1 } },
  repeat_penalty: { more: { repeat_penalty: 1.1 } },
  typical_p: { more: { typical_p: 0.5 } },
  tools: { more: { tools: lookTools } },
  tool_choice: { more: { tools: lookTools, tool_choice: 'required' }, param: 'tool_choice' },
  parallel_tool_calls: { more: { tools: lookTools, parallel_tool_calls: false }, param: 'parallel_tool_calls' },
  prompt_cache_key: { more: { prompt_cache_key: 'k' } },
  prompt_cache_options: { more: { prompt_cache_options: { mode: 'explicit' } } },
  prompt_cache_retention: { more: { prompt_cache_retention: '24h' } },
  verbosity: { more: { verbosity: 'low' } },
  function_call: { more: { functions, function_call: { name: 'look' } }, param: 'function_call' },
  functions: { more: { functions } },
};
