import { createAdaptorServer } from '@hono/node-server';
import { createSimulator } from '@modelwire/engine-simulator';
import { allCapabilities } from '@modelwire/ports';
import { createServer } from '@modelwire/server';
import type { ChatEngine, ChatEvent } from '@modelwire/ports';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gate } from '../test/server.ts';
import { AuthenticationError, BadRequestError, createChat } from './index.ts';
import type { ChatClient, ChatCompletion, ChatCompletionCreateParamsBase } from './index.ts';

const key = 'test-key-1234';

/** The server kit with these engines on a real port, and a client of it. */
async function serve(...engines: ChatEngine[]): Promise<{ chat: ChatClient; baseURL: string }> {
  const server = createServer({ engines, keys: [key] });
  const http = createAdaptorServer({ fetch: (request) => server.fetch(request) });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await server.close(10);
    if ('closeAllConnections' in http) http.closeAllConnections();
    http.close();
  });
  const address = http.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const baseURL = `http://127.0.0.1:${address.port}/v1`;
  return { chat: createChat({ baseURL, apiKey: key, maxRetries: 0 }), baseURL };
}

/** An engine with one model that supports everything and emits these events. */
function scripted(script: (signal: AbortSignal) => Iterable<ChatEvent> | AsyncIterable<ChatEvent>): ChatEngine {
  return {
    name: 'scripted',
    models: () => [{ id: 'scripted', created: 1, owned_by: 'tests', capabilities: allCapabilities() }],
    async *generate(_, { signal }) {
      yield* script(signal);
    },
  };
}

/** The fields in which two replies to one request must be equal: without IDs; only complete replies have `annotations`. */
function comparable({ id: _, created: __, ...rest }: ChatCompletion): unknown {
  return {
    ...rest,
    choices: rest.choices.map(({ message: { annotations: _, ...message }, ...choice }) => ({ ...choice, message })),
  };
}

async function bothWays(
  chat: ChatClient,
  params: Omit<ChatCompletionCreateParamsBase, 'stream'>,
): Promise<ChatCompletion> {
  const whole = await chat.completions.create({ ...params, stream: false });
  const streamed = await chat.completions.stream(params).final();
  expect(comparable(streamed)).toEqual(comparable(whole));
  return streamed;
}

const messages = [{ role: 'user', content: 'Say hello to everybody.' }] as const;

describe('with a server, final() equals the response without streaming', () => {
  test('for the simulator, with n, seed and log probabilities', async () => {
    const { chat } = await serve(createSimulator());
    const params = {
      model: 'simulator',
      messages,
      n: 3,
      seed: 7,
      logprobs: true,
      top_logprobs: 2,
      max_completion_tokens: 12,
    };
    const { choices, usage } = await bothWays(chat, params);
    expect(choices).toHaveLength(3);
    expect(choices[2]?.logprobs?.content?.length).toBeGreaterThan(0);
    expect(usage?.total_tokens).toBeGreaterThan(0);
  });

  test('for text with reasoning, a refusal, and two parallel tool calls of both kinds', async () => {
    const { chat } = await serve(
      scripted(function* (): Generator<ChatEvent> {
        yield { type: 'extra', choice: 0, delta: { reasoning_content: 'Hm' } };
        yield { type: 'text', choice: 0, text: 'Hel' };
        yield { type: 'refusal', choice: 1, text: 'No' };
        yield { type: 'extra', choice: 0, delta: { reasoning_content: 'mm' } };
        yield { type: 'text', choice: 0, text: 'lo' };
        yield { type: 'tool_call', choice: 2, index: 0, id: 'call_a', kind: 'function', name: 'weather' };
        yield { type: 'tool_call', choice: 2, index: 1, id: 'call_b', kind: 'custom', name: 'sql' };
        yield { type: 'refusal', choice: 1, text: ', thanks' };
        yield { type: 'tool_input', choice: 2, index: 1, kind: 'custom', text: 'SELECT' };
        yield { type: 'tool_input', choice: 2, index: 0, kind: 'function', text: '{"city":' };
        yield { type: 'tool_input', choice: 2, index: 1, kind: 'custom', text: ' 1' };
        yield { type: 'tool_input', choice: 2, index: 0, kind: 'function', text: '"Oslo"}' };
        yield { type: 'finish', choice: 2, reason: 'tool_calls' };
        yield { type: 'finish', choice: 0, reason: 'stop' };
        yield { type: 'finish', choice: 1, reason: 'stop' };
        yield { type: 'usage', usage: { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 } };
      }),
    );
    const { choices } = await bothWays(chat, { model: 'scripted', messages, n: 3 });
    expect(choices.map(({ message }) => message.content)).toEqual(['Hello', null, null]);
    expect(choices[2]?.message.tool_calls).toHaveLength(2);
  });

  test('for the deprecated function call', async () => {
    const { chat } = await serve(
      scripted(function* (): Generator<ChatEvent> {
        yield { type: 'function_call', choice: 0, name: 'weather' };
        yield { type: 'function_call', choice: 0, text: '{"city":' };
        yield { type: 'function_call', choice: 0, text: '"Oslo"}' };
        yield { type: 'finish', choice: 0, reason: 'function_call' };
        yield { type: 'usage', usage: { prompt_tokens: 3, completion_tokens: 9, total_tokens: 12 } };
      }),
    );
    const { choices } = await bothWays(chat, { model: 'scripted', messages });
    expect(choices[0]?.message.function_call).toEqual({ name: 'weather', arguments: '{"city":"Oslo"}' });
  });
});

describe('with a server', () => {
  test("the simulator's text arrives in several deltas", async () => {
    const { chat } = await serve(createSimulator());
    const stream = chat.completions.stream({ model: 'simulator', messages, temperature: 0 });
    const pieces: string[] = [];
    for await (const piece of stream.text()) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(1);
    expect((await stream.final()).choices[0]?.message.content).toBe(pieces.join(''));
  });

  test('error responses are typed errors that name the parameter', async () => {
    const { chat, baseURL } = await serve(createSimulator());
    const wrong = chat.completions.create({ model: 'simulator', messages, temperature: 3 });
    await expect(wrong).rejects.toBeInstanceOf(BadRequestError);
    await expect(wrong).rejects.toMatchObject({
      param: 'temperature',
      requestId: expect.stringMatching(/^req_/) as string,
    });
    const invalidKeyChat = createChat({ baseURL, apiKey: 'another-key-1234', maxRetries: 0 });
    await expect(invalidKeyChat.completions.stream({ model: 'simulator', messages }).final()).rejects.toBeInstanceOf(
      AuthenticationError,
    );
  });

  test('an engine that fails after its first text is an error frame, and the text is kept', async () => {
    const received = gate();
    const { chat } = await serve(
      scripted(async function* (): AsyncGenerator<ChatEvent> {
        yield { type: 'text', choice: 0, text: 'Hel' };
        await received.opened;
        throw new Error('the engine broke');
      }),
    );
    const stream = chat.completions.stream({ model: 'scripted', messages });
    const final = expect(stream.final()).rejects.toMatchObject({ name: 'StreamError', reason: 'error_frame' });
    await expect.poll(() => stream.snapshot()).toBeDefined();
    received.open();
    await final;
    expect(stream.snapshot()?.choices[0]?.message.content).toBe('Hel');
  });

  test('abort() reaches the engine', async () => {
    const stopped = gate();
    const { chat } = await serve(
      scripted(async function* (signal): AsyncGenerator<ChatEvent> {
        yield { type: 'text', choice: 0, text: 'Hel' };
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        stopped.open();
      }),
    );
    const stream = chat.completions.stream({ model: 'scripted', messages });
    const final = expect(stream.final()).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => stream.snapshot()).toBeDefined();
    stream.abort();
    await stopped.opened;
    await final;
  });
});
