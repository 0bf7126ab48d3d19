import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { createChat } from '../src/index.ts';
import type { ChatClient } from '../src/index.ts';

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  /** Parsed; undefined for an empty one. */
  readonly body: unknown;
}

export interface TestServer {
  readonly chat: ChatClient;
  readonly baseURL: string;
  /** All requests so far, oldest first. */
  readonly received: readonly Received[];
}

export type Handler = (response: ServerResponse, request: Received) => void;

/** A real HTTP server for the test that runs, and a client of it without retries. */
export async function serve(handler: Handler): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const { method, url, headers } = request;
        const seen = { method, url, headers, body: body === '' ? undefined : (JSON.parse(body) as unknown) };
        received.push(seen);
        response.setHeader('x-request-id', `req_${received.length}`);
        handler(response, seen);
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const baseURL = `http://127.0.0.1:${address.port}/v1`;
  return { chat: createChat({ baseURL, apiKey: 'test-key-1234', maxRetries: 0 }), baseURL, received };
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Sends each payload as an event, and leaves the stream open. */
export function send(response: ServerResponse, payloads: readonly unknown[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join(''));
}

/** The same, then `[DONE]` and the end. */
export function sendAll(response: ServerResponse, payloads: readonly unknown[]): void {
  send(response, payloads);
  response.end('data: [DONE]\n\n');
}

/** Resolves when the client has gone away from a response that is not over. */
export function left(response: ServerResponse): Promise<void> {
  return new Promise((resolve) =>
    response.on('close', () => {
      if (!response.writableFinished) resolve();
    }),
  );
}

/** Something that happens once, to wait for. */
export function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}
