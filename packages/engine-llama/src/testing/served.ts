import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatCompletion, ChatCompletionChunk, ErrorBody } from '@modelwire/schema/types';
import { createServer } from '@modelwire/server';
import { afterAll } from 'vitest';
import { createLlama } from '../llama.ts';
import type { LlamaEngine } from '../llama.ts';
import type { LlamaEngineOptions } from '../options.ts';
import { tinyTokens, writeTinyModel } from '../tiny-model/tiny-model.ts';
import type { TinyModelOptions } from '../tiny-model/tiny-model.ts';

export interface Served {
  readonly engine: LlamaEngine;
  /** Requests a non-streaming reply; `max_completion_tokens` defaults to 64. */
  ask(body: object, init?: AskInit): Promise<ChatCompletion>;
  refused(body: object): Promise<ErrorBody['error'] & { readonly status: number }>;
  stream(body: object, init?: AskInit): Promise<readonly ChatCompletionChunk[]>;
  post(body: object, init?: AskInit): Promise<Response>;
  close(): Promise<void>;
}

export interface AskInit {
  readonly signal?: AbortSignal;
  readonly key?: string;
}

export const userMessage = (content: string): readonly object[] => [{ role: 'user', content }];

/** The ID of a token of the tiny model, as a key of `logit_bias`. */
export const tokenId = (token: string): string => String(tinyTokens.indexOf(token));

/** A file with the tiny model, in its own folder. */
export async function tinyFile(options: TinyModelOptions = {}): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-llama-'));
  const path = join(folder, 'tiny.gguf');
  await writeTinyModel(path, options);
  return { path, remove: () => rm(folder, { recursive: true }) };
}

/** The tiny model behind a server, for tests by HTTP. */
export async function serveTiny(options: Partial<LlamaEngineOptions> & TinyModelOptions = {}): Promise<Served> {
  const { chatTemplate, ...others } = options;
  const file = await tinyFile({ ...(chatTemplate !== undefined && { chatTemplate }) });
  const engine = await createLlama({ path: file.path, gpu: false, threads: 1, ...others });
  const server = createServer({
    engines: [engine],
    keys: { authenticate: (key) => ({ keyId: key, project: key }) },
  });
  const post = async (body: object, { signal, key = 'key-one' }: AskInit = {}): Promise<Response> =>
    server.app.request('/v1/chat/completions', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: JSON.stringify({ model: 'tiny', max_completion_tokens: 64, ...body }),
      ...(signal && { signal }),
    });
  return {
    engine,
    post,
    async ask(body, init) {
      const response = await post(body, init);
      const answer: unknown = await response.json();
      if (response.status !== 200) throw new Error(JSON.stringify(answer));
      return answer as ChatCompletion;
    },
    async refused(body) {
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

/** {@link serveTiny} for all tests of a file. */
export async function serveTinyForFile(options?: Parameters<typeof serveTiny>[0]): Promise<Served> {
  const served = await serveTiny(options);
  afterAll(() => served.close());
  return served;
}
