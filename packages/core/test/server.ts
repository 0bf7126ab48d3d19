import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from './recording.ts';

export interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface TestServer {
  readonly baseURL: string;
  /** All requests so far, oldest first. */
  readonly received: readonly Received[];
  /** How many connections were opened. */
  readonly connections: () => number;
}

export type Handler = (response: ServerResponse, request: Received, count: number) => void;

/** A real HTTP server for the test that runs; `count` is 1 for the first request. */
export async function serve(handler: Handler): Promise<TestServer> {
  const received: Received[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    text(request).then(
      (body) => {
        const { method, url, headers } = request;
        const seen = { method, url, headers, body };
        received.push(seen);
        response.setHeader('x-request-id', `req_${received.length}`);
        handler(response, seen, received.length);
      },
      () => undefined,
    );
  });
  server.on('connection', () => connections++);
  return { baseURL: await listen(server), received, connections: () => connections };
}

export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

export function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  response.flushHeaders();
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
