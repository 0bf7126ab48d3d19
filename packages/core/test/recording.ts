// A real HTTP server that records requests and parses forms with an independent parser. For the tests of all clients in this
// workspace; not published.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Busboy } from '@fastify/busboy';
import { listenForTest } from '@modelwire/vitest/listen';

/** A file of a form. */
export interface RecordedFile {
  readonly filename: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface RecordedRequest {
  readonly method: string;
  /** Path and query below `/v1`. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Of a JSON body, parsed. */
  readonly json: unknown;
  /** Of a form: its text fields, and its files. */
  readonly fields: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, RecordedFile>>;
}

export interface RecordingServer {
  readonly baseURL: string;
  /** Complete requests, oldest first. */
  readonly recorded: readonly RecordedRequest[];
  /** Number of connections so far. */
  readonly connections: () => number;
}

export type Respond = (response: ServerResponse, request: RecordedRequest, count: number) => unknown;

/** Serves until the current test ends; `count` is 1 for the first request. */
export function startRecordingServer(respond: Respond): Promise<RecordingServer> {
  return startServerWithReader(readRequest, respond);
}

/** A recording server, and a client of it that retries immediately. */
export async function serveClient<Client>(
  createClient: (options: {
    readonly baseURL: string;
    readonly apiKey: string;
    readonly backoff: () => number;
  }) => Client,
  respond: Respond,
): Promise<RecordingServer & { readonly client: Client }> {
  const server = await startRecordingServer(respond);
  return { ...server, client: createClient({ baseURL: server.baseURL, apiKey: 'test-key', backoff: () => 0 }) };
}

/** Like `startRecordingServer`, with a custom function that reads the requests. */
export async function startServerWithReader<Read>(
  read: (request: IncomingMessage) => Promise<Read>,
  respond: (response: ServerResponse, request: Read, count: number) => unknown,
) {
  const recorded: Read[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    read(request)
      .then(async (recordedRequest) => {
        recorded.push(recordedRequest);
        response.setHeader('x-request-id', `req_${recorded.length}`);
        await respond(response, recordedRequest, recorded.length);
      })
      .catch(() => response.destroy());
  });
  server.on('connection', () => connections++);
  return { baseURL: await listen(server), recorded, connections: () => connections };
}

/** Listens on a free port until the current test ends. */
export async function listen(server: Server): Promise<string> {
  return `http://${await listenForTest(server)}/v1`;
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

export function md5(bytes: Uint8Array): string {
  return createHash('md5').update(bytes).digest('hex');
}

/** An event that happens once and can be awaited. */
export function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function readRequest(request: IncomingMessage): Promise<RecordedRequest> {
  const { headers } = request;
  const type = headers['content-type'] ?? '';
  const common = { method: request.method ?? '', path: (request.url ?? '').replace(/^\/v1/, ''), headers };
  if (type.startsWith('multipart/form-data')) return { ...common, json: undefined, ...(await readForm(request, type)) };
  const body = await buffer(request);
  const parsed: unknown = type === 'application/json' ? JSON.parse(body.toString()) : undefined;
  return { ...common, json: parsed, fields: {}, files: {} };
}

async function readForm(request: IncomingMessage, type: string): Promise<Pick<RecordedRequest, 'fields' | 'files'>> {
  const fields: Record<string, string> = {};
  const files: Promise<[string, RecordedFile]>[] = [];
  const form = new Busboy({ headers: { 'content-type': type } });
  form.on('field', (name, value) => (fields[name] = value));
  form.on('file', (name, stream, filename, _, mimeType) => {
    files.push(buffer(stream).then((bytes) => [name, { filename, type: mimeType, bytes }]));
  });
  await new Promise<void>((resolve, reject) => {
    form.on('finish', resolve).on('error', reject);
    request.on('aborted', () => reject(new Error('client disconnected')));
    request.pipe(form);
  });
  return { fields, files: Object.fromEntries(await Promise.all(files)) };
}
