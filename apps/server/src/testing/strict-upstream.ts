import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type * as z from 'zod';

export interface StrictUpstream<Request> {
  readonly baseURL: string;
  /** The accepted requests. */
  readonly asked: Request[];
  close(): void;
}

interface StrictUpstreamInit<Request> {
  readonly model: string;
  /** What is accepted; anything else gets a 400, so that unsupported fields cannot reach the server. */
  readonly schema: z.ZodType<Request>;
  /** Sends the reply. The count is 1 for the first request. */
  reply(response: ServerResponse, request: Request, count: number): void;
}

/** Starts a model server with one model. */
export async function startStrictUpstream<Request>({
  model,
  schema,
  reply,
}: StrictUpstreamInit<Request>): Promise<StrictUpstream<Request>> {
  const asked: Request[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method === 'GET') return response.end(JSON.stringify({ data: [{ id: model }] }));
      const parsed = schema.safeParse(await json(request));
      if (!parsed.success) {
        response.statusCode = 400;
        return response.end(JSON.stringify({ error: { message: `Unsupported: ${parsed.error.message}` } }));
      }
      reply(response, parsed.data, asked.push(parsed.data));
      return undefined;
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Streams chunks of a chat completion of a model, then the end. */
export function streamChunks(response: ServerResponse, model: string, chunks: readonly object[]): void {
  response.setHeader('content-type', 'text/event-stream');
  const head = { id: 'x', object: 'chat.completion.chunk', created: 1, model };
  for (const chunk of chunks) response.write(`data: ${JSON.stringify({ ...head, ...chunk })}\n\n`);
  response.end('data: [DONE]\n\n');
}
