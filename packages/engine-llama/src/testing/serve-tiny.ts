import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatCompletion, ChatCompletionChunk, ErrorBody } from '@modelwire/schema/types';
import { createServer } from '@modelwire/server';
import { afterAll, expect } from 'vitest';
import { createLlama } from '../llama.ts';
import type { LlamaEngine } from '../llama.ts';
import type { LlamaEngineOptions } from '../options.ts';
import { tinyTokens, writeTinyModel } from '../tiny-model/tiny-model.ts';
import type { TinyModelOptions } from '../tiny-model/tiny-model.ts';

export interface TestServer {
  readonly engine: LlamaEngine;
  /** Requests a completion without streaming; `max_completion_tokens` defaults to 64. */
  complete(body: object, init?: RequestInit): Promise<ChatCompletion>;
  errorOf(body: object): Promise<ErrorBody['error'] & { readonly status: number }>;
  stream(body: object, init?: RequestInit): Promise<readonly ChatCompletionChunk[]>;
  post(body: object, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface RequestInit {
  readonly signal?: AbortSignal;
  /**
   * The API key, and with it the project. By default each request has its own: a prompt of which a part is cached is evaluated by other
   * instructions of the processor, and rounding could select another token.
   */
  readonly key?: string;
}

export const userMessage = (content: string): readonly object[] => [{ role: 'user', content }];

/** The ID of a token of the tiny model, as a key of `logit_bias`. */
export const tokenId = (token: string): string => String(tinyTokens.indexOf(token));

/**
 * Fails if the two most likely tokens are close anywhere in a greedy reply. Tests compare such replies only where rounding, which differs
 * between processors and with the cached part of the prompt, cannot decide.
 */
export async function expectNoNearTies(served: TestServer, body: object): Promise<void> {
  const { choices } = await served.complete({ ...body, temperature: 0, logprobs: true, top_logprobs: 2 });
  for (const { token, top_logprobs } of choices[0]?.logprobs?.content ?? []) {
    const [first, second] = top_logprobs;
    // Where a grammar allows only one token, there is no second.
    if (!first || !second) continue;
    expect(first.logprob - second.logprob, `a near tie at '${token}'`).toBeGreaterThan(0.005);
  }
}

/** Writes the tiny model to a temporary folder. */
export async function tinyFile(options: TinyModelOptions = {}): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-llama-'));
  const path = join(folder, 'tiny.gguf');
  await writeTinyModel(path, options);
  return { path, remove: () => rm(folder, { recursive: true }) };
}

/** Starts a server with the tiny model, for tests over HTTP. */
export async function serveTiny(options: Partial<LlamaEngineOptions> & TinyModelOptions = {}): Promise<TestServer> {
  const { chatTemplate, padding, ...others } = options;
  const file = await tinyFile({
    ...(chatTemplate !== undefined && { chatTemplate }),
    ...(padding !== undefined && { padding }),
  });
  const engine = await createLlama({ path: file.path, gpu: false, threads: 1, ...others });
  const server = createServer({
    engines: [engine],
    keys: { authenticate: (key) => ({ keyId: key, project: key }) },
  });
  let requests = 0;
  const post = async (body: object, { signal, key = `key-${requests++}` }: RequestInit = {}): Promise<Response> =>
    server.fetch(
      new Request('http://localhost/v1/chat/completions', {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'tiny', max_completion_tokens: 64, ...body }),
        ...(signal && { signal }),
      }),
    );
  return {
    engine,
    post,
    async complete(body, init) {
      const response = await post(body, init);
      const completion: unknown = await response.json();
      if (response.status !== 200) throw new Error(JSON.stringify(completion));
      return completion as ChatCompletion;
    },
    async errorOf(body) {
      const response = await post(body);
      const { error } = (await response.json()) as ErrorBody;
      return { ...error, status: response.status };
    },
    async stream(body, init) {
      const response = await post({ ...body, stream: true }, init);
      const text = await response.text();
      return text
        .split('\n\n')
        .filter((event) => event.startsWith('data: {'))
        .map((event) => JSON.parse(event.slice('data: '.length)) as ChatCompletionChunk);
    },
    async close() {
      await server.close();
      await file.remove();
    },
  };
}

/** Like {@link serveTiny}, for all tests of a file. */
export async function serveTinyForFile(options?: Parameters<typeof serveTiny>[0]): Promise<TestServer> {
  const served = await serveTiny(options);
  afterAll(() => served.close());
  return served;
}
