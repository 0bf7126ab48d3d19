import { createServer as createHttp } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { listenForTest } from '@modelwire/vitest/listen';
import OpenAI from 'openai';
import { onTestFinished } from 'vitest';
import { nodeListener } from '../node.ts';
import { createServer } from '../server.ts';
import type { ModelwireServer } from '../server.ts';
import type { ServerOptions } from '../options/options.ts';

export const key = 'test-key-1234567890';

/** Both adapters from a socket to the server. */
export const adapters = ['node:http', 'web'] as const;
export type Adapter = (typeof adapters)[number];

export interface Listening {
  readonly url: string;
  readonly server: ModelwireServer;
  readonly client: OpenAI;
  /** POST /v1/chat/completions with the key. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** POST to a path below `/v1` with the key. Resolves with the status and the fields of the reply. */
  postTo(path: string, body: unknown): Promise<object>;
}

/** The server on a real port with a client of the official SDK; closed at the end of the test. */
export async function listen(
  options: Partial<ServerOptions> & Pick<ServerOptions, 'engines'>,
  adapter: Adapter = 'node:http',
): Promise<Listening> {
  const server = createServer({ keys: [key], ...options });
  const web = getRequestListener(server.fetch);
  const http = createHttp(
    adapter === 'web' ? (request, response) => void web(request, response) : nodeListener(server),
  );
  const url = `http://${await listenForTest(http)}`;
  onTestFinished(() => server.close(10));
  const post = (path: string, body: unknown, headers?: Record<string, string>): Promise<Response> =>
    fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    url,
    server,
    client: new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }),
    post: (body, headers) => post('/chat/completions', body, headers),
    async postTo(path, body) {
      const response = await post(path, body);
      return { status: response.status, ...((await response.json()) as object) };
    },
  };
}
