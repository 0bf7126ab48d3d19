import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTinyModel } from '@modelwire/engine-llama/tiny-model';
import type { Response, ResponseCreateParamsBase } from 'openai/resources/responses/responses';
import { zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { ConfigError } from '../config/config-error.ts';
import { readEnvironment } from '../config/environment.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';
import { startProcess } from '../testing/process.ts';

let server: TestServer;
let folder: string;
let path: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'modelwire-gguf-'));
  path = join(folder, 'tiny.gguf');
  await writeTinyModel(path);
  server = await startTestServer({ gguf: [{ path, gpu: false, sequences: 2 }] });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const model = 'tiny';
const messages = [{ role: 'user' as const, content: 'Tell me about rivers.' }];
const chat = () => server.client.chat.completions;

test('lists a GGUF model before the simulator, with its capabilities', async () => {
  const listed = await Array.fromAsync(await server.client.models.list());
  expect(listed.map(({ id }) => id).slice(0, 2)).toEqual(['tiny', 'simulator']);
  const answer = await fetch(`${server.url}/v1/capabilities/tiny`, {
    headers: { authorization: `Bearer ${server.client.apiKey ?? ''}` },
  });
  expect(await answer.json()).toMatchObject({
    parameters: { logit_bias: 'native', n: 'emulated', prediction: 'native', stop: 'emulated', tools: 'native' },
    runtime: { backend: 'cpu', device: null, gpu_layers: 0, layers: 2, context_size: 2048, sequences: 2 },
  });
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/modelwire_model_runtime_info\{model="tiny",backend="cpu",.*sequences="2"\} 1/);
  expect(metrics).toMatch(/modelwire_model_memory_bytes\{model="tiny",memory="host"\} [1-9]/);
});

test('the official SDK gets the same reply streamed and complete', async () => {
  // At each token of this reply the most likely one is far ahead: a prompt from the cache, which is rounded differently, gives the same.
  const content = 'Tell me about boats.';
  const body = { model, messages: [{ role: 'user' as const, content }], temperature: 0, max_completion_tokens: 40 };
  const whole = await chat().create(body);
  const deltas: string[] = [];
  for await (const chunk of await chat().create({ ...body, stream: true })) {
    deltas.push(chunk.choices[0]?.delta.content ?? '');
  }
  expect(deltas.join('')).toBe(whole.choices[0]?.message.content);
});

test('the official SDK parses structured output', async () => {
  const River = z.object({ length: z.int().min(1).max(9999), kind: z.enum(['wide', 'narrow']), deep: z.boolean() });
  const { choices } = await chat().parse({
    ...{ model, messages, seed: 1, temperature: 1.5 },
    response_format: zodResponseFormat(River, 'river'),
  });
  expect(River.parse(choices[0]?.message.parsed)).toBeTruthy();
});

test('the official SDK runs tools', async () => {
  let callCount = 0;
  const runner = chat().runTools({
    ...{ model, messages, seed: 1, max_completion_tokens: 200, parallel_tool_calls: false },
    tool_choice: { type: 'function', function: { name: 'length_of' } },
    tools: [
      {
        type: 'function',
        function: {
          name: 'length_of',
          description: 'How long a river is',
          parameters: {
            type: 'object',
            properties: { river: { type: 'string', enum: ['Rhine', 'Loire'] } },
            required: ['river'],
          },
          parse: (text: string) => z.object({ river: z.enum(['Rhine', 'Loire']) }).parse(JSON.parse(text)),
          function: ({ river }: { river: string }) => {
            callCount++;
            return river === 'Rhine' ? '1233 km' : '1006 km';
          },
        },
      },
    ],
  });
  await runner.done();
  expect(callCount).toBe(1);
});

test.each([false, true])(
  'a response that continues another takes the earlier turns from the prompt cache (stream: %s)',
  async (stream) => {
    let previous: Response | undefined;
    for (const input of ['How long is the river?', 'And how wide is it?', 'Tell me about the sea, too.']) {
      const body = {
        model,
        input,
        store: true,
        temperature: 0,
        max_output_tokens: 20,
        prompt_cache_key: `chain ${stream}`,
      };
      const response: Response = await respond({ ...body, previous_response_id: previous?.id ?? null }, stream);
      const { usage } = response;
      expect(usage?.input_tokens_details.cached_tokens).toBeGreaterThanOrEqual(previous?.usage?.input_tokens ?? 0);
      expect(usage?.input_tokens).toBeGreaterThan(previous?.usage?.input_tokens ?? 0);
      previous = response;
    }
  },
);

function respond(body: Omit<ResponseCreateParamsBase, 'stream'>, stream: boolean): Promise<Response> {
  return stream ? server.client.responses.stream(body).finalResponse() : server.client.responses.create(body);
}

test('names the path of a missing model', async () => {
  await expect(startTestServer({ gguf: '/nowhere/model.gguf' })).rejects.toThrow(ConfigError);
  await expect(startTestServer({ gguf: '/nowhere/model.gguf' })).rejects.toThrow(
    "the file '/nowhere/model.gguf' does not exist",
  );
});

test('a GPU that cannot be used is an error with its reason', async () => {
  const gguf = [{ path, gpu: 'metal' as const }];
  await expect(startTestServer({ gguf })).rejects.toThrow('gguf: gpu: metal is only available on macOS');
});

test('MODELWIRE_GGUF alone configures a model', async () => {
  expect(readEnvironment({ MODELWIRE_GGUF: 'a.gguf' })).toEqual({ gguf: 'a.gguf' });
  const { url } = await startProcess(folder, { MODELWIRE_GGUF: 'tiny.gguf' });
  const { choices } = await clientOf(url).chat.completions.create({
    model,
    messages,
    seed: 1,
    max_completion_tokens: 3,
  });
  expect(choices[0]?.finish_reason).toBe('length');
});

test('MODELWIRE_GGUF_CONTEXT sets the context size of the model', () => {
  const read = (context: string) => readEnvironment({ MODELWIRE_GGUF: 'a.gguf', MODELWIRE_GGUF_CONTEXT: context });
  expect(read('8192')).toEqual({ gguf: [{ path: 'a.gguf', contextSize: 8192 }] });
  for (const context of ['63', '1e4', '-1', 'large', '1'.repeat(20)]) {
    expect(() => read(context)).toThrow(/MODELWIRE_GGUF_CONTEXT: expected an integer of at least 64/);
  }
  expect(() => readEnvironment({ MODELWIRE_GGUF_CONTEXT: '8192' })).toThrow(/requires MODELWIRE_GGUF/);
});

test('models with the same ID share its requests: those with the same key go to the same one', async () => {
  const shared = { path, id: 'pair', gpu: false, sequences: 2 } as const;
  const upstream = {
    name: 'other',
    baseURL: `${server.url}/v1`,
    ...(server.client.apiKey && { apiKey: server.client.apiKey }),
  };
  const { client, stop } = await startTestServer({
    gguf: [shared, shared],
    upstreams: [upstream],
    models: { pair: { upstreamModel: 'tiny' } },
  });
  try {
    const ask = async (key: string): Promise<string | null> => {
      const body = { model: 'pair', messages, max_completion_tokens: 1, prompt_cache_key: key };
      const { response } = await client.chat.completions.create(body).withResponse();
      return response.headers.get('x-modelwire-upstream');
    };
    const keys = Array.from({ length: 12 }, (_, index) => `key ${index}`);
    const first: (string | null)[] = [];
    for (const key of keys) first.push(await ask(key));
    expect(new Set(first)).toEqual(new Set(['gguf-1', 'gguf-2', 'other']));
    for (const [index, key] of keys.entries()) expect(await ask(key)).toBe(first[index]);
    expect((await Array.fromAsync(await client.models.list())).filter(({ id }) => id === 'pair')).toHaveLength(1);
  } finally {
    await stop();
  }
});
