import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenForTest } from '@modelwire/vitest/listen';

export interface CountingUpstream {
  readonly baseURL: string;
  /** Number of requests per prompt. */
  readonly requestCounts: Map<string, number>;
  /** Called with each prompt. The response waits for the returned promise. */
  onRequest: ((prompt: string) => unknown) | undefined;
}

const modelList = { object: 'list', data: [{ id: 'counted', object: 'model', created: 1, owned_by: 'tests' }] };

/** Starts a model server with one model, `counted`, that echoes prompts and counts requests. It outlives the servers in front of it. */
export async function countingUpstream(delayMs: number): Promise<CountingUpstream> {
  const requestCounts = new Map<string, number>();
  const http = createServer((request, response) => {
    const reply = request.method === 'GET' ? Promise.resolve(modelList) : answer(request);
    reply.then(
      (body) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(body));
      },
      // The server in front was killed before its request had arrived.
      () => response.destroy(),
    );
  });
  const upstream: CountingUpstream = { baseURL: '', requestCounts, onRequest: undefined };
  async function answer(request: AsyncIterable<Uint8Array>): Promise<unknown> {
    const { messages } = JSON.parse(await text(request)) as { messages: [{ content: string }] };
    const { content } = messages[0];
    requestCounts.set(content, (requestCounts.get(content) ?? 0) + 1);
    await upstream.onRequest?.(content);
    await sleep(delayMs);
    const message = { role: 'assistant', content, refusal: null };
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'counted',
      choices: [{ index: 0, message, finish_reason: 'stop', logprobs: null }],
      usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
    };
  }
  return Object.assign(upstream, { baseURL: `http://${await listenForTest(http)}/v1` });
}

/** The configuration of a server whose only model is `counted`; `overrides` adds or replaces fields. */
export function countingConfig(upstream: { readonly baseURL: string }, overrides: object): object {
  return {
    simulator: false,
    moderation: false,
    videos: false,
    upstreams: [{ baseURL: upstream.baseURL, name: 'counting' }],
    models: { counted: {} },
    ...overrides,
  };
}
