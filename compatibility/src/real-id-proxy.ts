import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './server.ts';
import type { TestServer } from './server.ts';

/** A request that was refused. */
export interface Refusal {
  /** Method, and path below the version. */
  readonly request: string;
  readonly status: number;
  readonly param: string | undefined;
  readonly message: string | undefined;
}

export interface RealIdProxy {
  /** Without a path. */
  readonly url: string;
  /** In the order of the requests, without those to paths outside of the version. */
  readonly refusals: readonly Refusal[];
  stop(): Promise<void>;
}

/** Creates an object, and returns its ID. */
type Create = () => Promise<string>;

/**
 * A server in front of another one for generated tests of SDKs, which are written for a mock server that answers every ID: placeholder IDs in
 * requests become IDs of objects that exist and are in the state that the call needs, and the key becomes one that is valid.
 */
export async function startRealIdProxy(server: TestServer): Promise<RealIdProxy> {
  const objects = createObjects(server);
  const refusals: Refusal[] = [];
  const port = await freePort();
  const proxy = createServer((request, response) => {
    forward(request, response, { server, objects, refusals }).catch((error: unknown) => {
      response.writeHead(502).end(String(error));
    });
  });
  proxy.listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    refusals,
    async stop() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  {
    server,
    objects,
    refusals,
  }: { readonly server: TestServer; readonly objects: Objects; readonly refusals: Refusal[] },
): Promise<void> {
  const method = request.method ?? 'GET';
  const url = new URL(request.url ?? '/', server.url);
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  url.pathname = await objects.withRealId(method, url.pathname);
  if (url.searchParams.has('after')) url.searchParams.set('after', await objects.after(url.pathname));
  const type = request.headers['content-type'] ?? '';
  const received = Buffer.concat(pieces);
  const body = type.startsWith('application/json')
    ? await objects.withRealIds(url.pathname, received.toString())
    : received;
  const headers = { authorization: `Bearer ${server.key}`, ...(type !== '' && { 'content-type': type }) };
  const reply = await fetch(url, { method, headers, ...(pieces.length > 0 && { body }) });
  const content = Buffer.from(await reply.arrayBuffer());
  const path = /^\/v1(\/.+)$/.exec(url.pathname)?.[1];
  if (!reply.ok && path !== undefined) {
    const { error } = JSON.parse(content.toString()) as { error?: { param?: string; message?: string } };
    refusals.push({ request: `${method} ${path}`, status: reply.status, param: error?.param, message: error?.message });
  }
  response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'application/json' });
  response.end(content);
}

interface Objects {
  /** The path with the ID of an object that exists. */
  withRealId(method: string, path: string): Promise<string>;
  /** The body with IDs of objects that exist. */
  withRealIds(path: string, body: string): Promise<string>;
  /** An ID that the list at this path can continue after. */
  after(path: string): Promise<string>;
}

function createObjects(server: TestServer): Objects {
  async function send(
    path: string,
    body: object | FormData,
  ): Promise<{ readonly id: string; readonly status?: string }> {
    const isForm = body instanceof FormData;
    const headers = { authorization: `Bearer ${server.key}`, ...(!isForm && { 'content-type': 'application/json' }) };
    const reply = await fetch(`${server.url}/v1${path}`, {
      method: 'POST',
      headers,
      body: isForm ? body : JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`POST ${path}: ${await reply.text()}`);
    return (await reply.json()) as { id: string };
  }
  const model = 'simulator';
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'user', content: 'Hello' },
  ];
  async function file(purpose: string, content: string): Promise<string> {
    const form = new FormData();
    form.set('purpose', purpose);
    form.set('file', new File([content], 'batch.jsonl'));
    return (await send('/files', form)).id;
  }
  function batchFile(lines: number): Promise<string> {
    const line = (id: number) => ({
      custom_id: `line-${id}`,
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model, messages },
    });
    return file('batch', Array.from({ length: lines }, (_, id) => JSON.stringify(line(id))).join('\n'));
  }
  const newFile: Create = () => file('user_data', 'Example data');
  // Large enough to be in progress when it is cancelled.
  const newBatch: Create = async () =>
    (
      await send('/batches', {
        input_file_id: await batchFile(1000),
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
      })
    ).id;
  const newCompletion: Create = async () => (await send('/chat/completions', { model, messages, store: true })).id;
  const newUpload: Create = async () =>
    (await send('/uploads', { bytes: 12, filename: 'a.txt', mime_type: 'text/plain', purpose: 'user_data' })).id;
  async function newPart(upload: string): Promise<string> {
    const form = new FormData();
    form.set('data', new File(['Example data'], 'part'));
    return (await send(`/uploads/${upload}/parts`, form)).id;
  }
  const newVideo: Create = async () => (await send('/videos', { prompt: 'A lighthouse' })).id;
  /** One for the whole run: rendering takes seconds. */
  const completedVideo = createOnce(async () => {
    const id = await newVideo();
    for (;;) {
      const reply = await fetch(`${server.url}/v1/videos/${id}`, {
        headers: { authorization: `Bearer ${server.key}` },
      });
      const { status } = (await reply.json()) as { status: string };
      if (status === 'completed') return id;
      if (status === 'failed') throw new Error('The video failed.');
      await sleep(300);
    }
  });
  const video = String.raw`/videos/(?!(?:edits|extensions|characters)(?:/|$))([^/]+)`;
  /** What a path names, the new object that a call which changes it needs, and the object that calls which read can share. */
  const kinds: readonly (readonly [path: RegExp, changed: Create, read: Create])[] = [
    [/^\/v1\/files\/([^/]+)/, newFile, createOnce(newFile)],
    [/^\/v1\/uploads\/([^/]+)/, newUpload, newUpload],
    [/^\/v1\/batches\/([^/]+)/, newBatch, createOnce(newBatch)],
    [/^\/v1\/chat\/completions\/([^/]+)/, newCompletion, createOnce(newCompletion)],
    [new RegExp(`^/v1${video}(?=/(?:content|remix))`), completedVideo, completedVideo],
    [new RegExp(`^/v1${video}`), newVideo, completedVideo],
  ];
  async function realIdAt(method: string, path: string): Promise<string | undefined> {
    for (const [pattern, changed, read] of kinds) {
      const placeholder = pattern.exec(path)?.[1];
      if (placeholder !== undefined)
        return path.replace(`/${placeholder}`, `/${await (method === 'GET' ? read() : changed())}`);
    }
    return undefined;
  }
  return {
    withRealId: async (method, path) => (await realIdAt(method, path)) ?? path,
    async withRealIds(path, text) {
      const body = JSON.parse(text) as Record<string, unknown>;
      if ('part_ids' in body) body['part_ids'] = [await newPart(path.split('/')[3] ?? '')];
      if ('input_file_id' in body) body['input_file_id'] = await batchFile(1);
      if ('logit_bias' in body) body['logit_bias'] = { 1: 0 };
      return JSON.stringify(body);
    },
    async after(path) {
      const completion = /^\/v1\/chat\/completions\/([^/]+)\/messages$/.exec(path)?.[1];
      if (completion !== undefined) return `${completion}-0`;
      return (await realIdAt('GET', `${path}/placeholder`))?.split('/').at(-1) ?? '';
    },
  };
}

/** Creates one object, for all calls. */
function createOnce(create: Create): Create {
  let created: Promise<string> | undefined;
  return () => (created ??= create());
}
