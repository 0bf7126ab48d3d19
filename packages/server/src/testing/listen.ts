import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import OpenAI from 'openai';
import { onTestFinished } from 'vitest';
import { createServer } from '../server.ts';
import type { ModelwireServer } from '../server.ts';
import type { ServerOptions } from '../options.ts';

export const key = 'test-key-1234567890';

export interface Listening {
  readonly url: string;
  readonly server: ModelwireServer;
  readonly client: OpenAI;
  /** POST /v1/chat/completions with the key. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** The kit on a real port, with an official SDK in front; closed when the test is over. */
export async function listen(options: Partial<ServerOptions> & Pick<ServerOptions, 'engines'>): Promise<Listening> {
  const server = createServer({ keys: [key], ...options });
  const http = createAdaptorServer({ fetch: (request) => server.fetch(request) });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    await server.close(10);
    if ('closeAllConnections' in http) http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return {
    url,
    server,
    client: new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }),
    post: (body, headers) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  };
}
