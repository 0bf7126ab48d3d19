import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a fake upstream received. */
export interface RecordedRequest {
  readonly headers: IncomingMessage['headers'];
  readonly path: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** The unparsed body. */
  readonly text: string;
  /** Whether the connection closed before the reply was complete. */
  isAborted: boolean;
}

/** A real HTTP server whose responses a test defines. */
export interface FakeServer {
  readonly baseURL: string;
  readonly requests: RecordedRequest[];
  readonly server: Server;
  close(): Promise<void>;
}

export type RequestHandler = (response: ServerResponse, request: RecordedRequest, count: number) => unknown;

/** `count` is 1 for the first request. */
export async function fakeServer(handler: RequestHandler): Promise<FakeServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((request, response) => {
    void receive(request).then((recorded) => {
      requests.push(recorded);
      response.on('close', () => {
        recorded.isAborted = !response.writableFinished;
        server.emit('response-closed');
      });
      server.emit('request-received');
      return handler(response, recorded, requests.length);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    server,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function receive(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const isForm = request.headers['content-type']?.startsWith('multipart/') === true;
  const body = text === '' || isForm ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { headers: request.headers, path: request.url, body, text, isAborted: false };
}

export function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** Starts an event stream. */
export function startEventStream(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
}

/** The JSON text of a chunk of choice 0. */
export function chunk(delta: unknown, finish_reason: string | null = null, extra: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason }];
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'there',
    choices,
    ...extra,
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
