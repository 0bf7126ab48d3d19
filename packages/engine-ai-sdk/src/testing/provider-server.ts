import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as the provider received it. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

type Responder = (response: ServerResponse, request: ReceivedRequest) => void;

/** A provider whose responses the test writes. */
export interface ProviderServer {
  readonly url: string;
  /** Requests in the order of their arrival. */
  readonly received: ReceivedRequest[];
  /** Answers the next requests. */
  respond(responder: Responder): void;
  close(): Promise<void>;
}

export async function startProviderServer(): Promise<ProviderServer> {
  let responder: Responder = (response) => response.writeHead(404).end();
  const received: ReceivedRequest[] = [];
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', headers } = request;
    const body = JSON.parse(await text(request)) as ReceivedRequest['body'];
    const seen = { path, headers, body };
    received.push(seen);
    responder(response, seen);
  }
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    respond(next) {
      responder = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with a JSON body. */
export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Responder {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
}

/** Answers with the data events of a stream, named after their `type` as Anthropic does. */
export function events(...data: readonly object[]): Responder {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const item of data) response.write(sseEvent(item));
    response.end();
  };
}

export function sseEvent(data: object): string {
  const name = 'type' in data && typeof data.type === 'string' ? `event: ${data.type}\n` : '';
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}
