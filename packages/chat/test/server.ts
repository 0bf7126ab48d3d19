import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gate, listen } from '@modelwire/core/testing';
import { createChat } from '../src/index.ts';
import type { ChatClient } from '../src/index.ts';

export { gate, json } from '@modelwire/core/testing';

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
  /** Resolves at the first request. */
  readonly arrived: Promise<void>;
  /** Resolves when the client disconnects before the end of a response. */
  readonly disconnected: Promise<void>;
}

export type Handler = (response: ServerResponse, request: Received) => void;

/** A real HTTP server for the test that runs, and a client of it without retries. */
export async function serve(handler: Handler): Promise<TestServer> {
  const received: Received[] = [];
  const arrived = gate();
  const disconnected = gate();
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const { method, url, headers } = request;
        const seen = { method, url, headers, body: body === '' ? undefined : (JSON.parse(body) as unknown) };
        received.push(seen);
        arrived.open();
        response.on('close', () => {
          if (!response.writableFinished) disconnected.open();
        });
        response.setHeader('x-request-id', `req_${received.length}`);
        handler(response, seen);
      },
      () => undefined,
    );
  });
  const baseURL = await listen(server);
  return {
    chat: createChat({ baseURL, apiKey: 'test-key-1234', maxRetries: 0 }),
    baseURL,
    received,
    arrived: arrived.opened,
    disconnected: disconnected.opened,
  };
}

/** Sends each payload as an event, and leaves the stream open. */
export function send(response: ServerResponse, payloads: readonly unknown[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(payloads.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join(''));
}

/** Like `send`, followed by `[DONE]` and the end of the stream. */
export function sendAll(response: ServerResponse, payloads: readonly unknown[]): void {
  send(response, payloads);
  response.end('data: [DONE]\n\n');
}
