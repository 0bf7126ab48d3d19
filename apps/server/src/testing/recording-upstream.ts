import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as the upstream received it. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RecordingUpstream {
  readonly baseURL: string;
  /** Requests to paths under `/v1`, but for the list of models. */
  readonly received: ReceivedRequest[];
  readonly server: Server;
  close(): void;
}

type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/**
 * Starts an HTTP server that lists models and records the requests to all other paths. `answers` by path below `/v1`; other paths get
 * a 404 with the text `no such path`. `stream` is called first, and may take a request before its body has been read.
 */
export async function startRecordingUpstream(
  models: readonly (string | Readonly<Record<string, unknown>>)[],
  answers: Readonly<Record<string, Answer>> = {},
  stream: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<RecordingUpstream> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    if (stream(request, response)) return;
    void buffer(request).then(
      (body) => {
        const { method = '', url = '', headers } = request;
        if (url === '/v1/models') {
          json(response, 200, { object: 'list', data: models.map((m) => (typeof m === 'string' ? { id: m } : m)) });
          return;
        }
        const one = { method, url, headers, body };
        // The server asks at paths of certain products to recognise them.
        if (url.startsWith('/v1/')) received.push(one);
        const answer = answers[url.slice('/v1'.length).split('?', 1)[0] ?? ''];
        if (answer) answer(response, one);
        else json(response, 404, { error: { message: 'no such path', type: 'invalid_request_error' } });
      },
      () => undefined,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    server,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
