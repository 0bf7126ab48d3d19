import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startServerWithReader } from './recording.ts';

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
  const { recorded, ...server } = await startServerWithReader(
    async (request) => ({
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: await text(request),
    }),
    handler,
  );
  return { ...server, received: recorded };
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
