import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a fake upstream saw of one request. */
export interface Seen {
  readonly headers: IncomingMessage['headers'];
  readonly path: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as it came. */
  readonly text: string;
  /** The connection closed before the reply was complete. */
  broken: boolean;
}

/** A real HTTP server that answers as a test says. */
export interface FakeServer {
  readonly baseURL: string;
  readonly seen: Seen[];
  readonly server: Server;
  close(): Promise<void>;
}

export type Answering = (response: ServerResponse, seen: Seen, count: number) => unknown;

/** `count` is 1 for the first request. */
export async function fakeServer(answering: Answering): Promise<FakeServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void receive(request).then((one) => {
      seen.push(one);
      response.on('close', () => {
        one.broken = !response.writableFinished;
        server.emit('over');
      });
      server.emit('seen');
      return answering(response, one, seen.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    seen,
    server,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function receive(request: IncomingMessage): Promise<Seen> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { headers: request.headers, path: request.url, body, text, broken: false };
}

export function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** Begins a stream. */
export function events(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
}

/** The JSON text of a chunk of choice 0. */
export function chunk(delta: unknown, finish_reason: string | null = null, more: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason }];
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'there',
    choices,
    ...more,
  });
}

export function frames(...payloads: string[]): string {
  return payloads.map((payload) => `data: ${payload}\n\n`).join('');
}

export const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'there',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hello', reasoning_content: 'hm' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  from_the_future: { kept: true },
};
