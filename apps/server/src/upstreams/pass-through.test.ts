import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { json, startRecordingUpstream } from '../testing/recording-upstream.ts';
import type { RecordingUpstream } from '../testing/recording-upstream.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const audio = Buffer.alloc(300_000, 'RIFF-sound');
const responseEvents = [
  { type: 'response.created', response: { id: 'resp_1' } },
  { type: 'response.output_text.delta', delta: 'Hello' },
  {
    type: 'response.completed',
    response: { id: 'resp_1', usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } },
  },
];

let upstream: RecordingUpstream;
let server: TestServer;

beforeAll(async () => {
  upstream = await startRecordingUpstream(['chat', 'embed', 'whisper-large'], {
    '/embeddings-of-ours': (response) => json(response, 200, {}),
    '/audio/transcriptions': (response) =>
      json(response, 200, { text: 'hello', usage: { type: 'duration', seconds: 2 } }),
    '/audio/speech': (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.end(audio);
    },
    '/images/generations': (response) =>
      json(response, 200, {
        created: 1,
        data: [{ b64_json: 'AAAA' }],
        usage: { input_tokens: 5, output_tokens: 9, total_tokens: 14 },
      }),
    '/rerank': (response) =>
      json(response, 200, { results: [{ index: 1, relevance_score: 0.9 }], usage: { total_tokens: 6 } }),
    '/messages': (response) => json(response, 200, { type: 'message' }),
    '/teapot': (response, { headers }) =>
      json(
        response,
        418,
        { error: { message: `no coffee for ${headers.authorization}`, code: 'teapot' } },
        { 'retry-after': '7' },
      ),
    '/refused': (response) =>
      json(response, 401, { error: { message: 'Incorrect API key provided: their-secret-key' } }),
    '/moved': (response) => {
      response.writeHead(307, { location: '/v1/moved/here?a=1' });
      response.end();
    },
    '/moved-away': (response) => {
      response.writeHead(307, { location: 'http://elsewhere.example/v1/x' });
      response.end();
    },
    '/nothing': (response) => {
      response.writeHead(204);
      response.end();
    },
    '/beta/responses': (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of responseEvents) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    },
  });
  server = await startTestServer({
    simulator: false,
    upstreams: [{ baseURL: upstream.baseURL, apiKey: 'their-secret-key' }],
  });
});
afterAll(async () => {
  await server.stop();
  upstream.close();
});
beforeEach(() => {
  upstream.received.length = 0;
});

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const post = (path: string, body: unknown, more: Record<string, string> = {}) =>
  fetch(`${server.url}/v1${path}`, { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) });

describe('with the official SDK', () => {
  test('forwards a transcription, a form with a file before its model', async () => {
    const file = await toFile(audio, 'speech.wav', { type: 'audio/wav' });
    const { data, response } = await server.client.audio.transcriptions
      .create({ file, model: 'whisper-large' })
      .withResponse();
    expect(data.text).toBe('hello');
    expect(response.headers.get('x-request-id')).toMatch(/^req_/);
    expect(response.headers.get('x-modelwire-upstream')).toBe('upstream-1');
    const [received] = upstream.received;
    expect(received?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(received?.body.includes(audio)).toBe(true);
    expect(received?.headers.authorization).toBe('Bearer their-secret-key');
  });

  test('forwards speech, and relays its bytes', async () => {
    const speech = await server.client.audio.speech.create({ model: 'tts', voice: 'alloy', input: 'hello' });
    expect(Buffer.from(await speech.arrayBuffer()).equals(audio)).toBe(true);
    expect(speech.headers.get('content-type')).toBe('audio/mpeg');
  });

  test('forwards images', async () => {
    const image = await server.client.images.generate({ model: 'pictures', prompt: 'a ship' });
    expect(image.data?.[0]?.b64_json).toBe('AAAA');
    expect(upstream.received[0]?.body.toString()).toBe('{"model":"pictures","prompt":"a ship"}');
  });

  test('forwards paths that the SDK has no method for, with their query', async () => {
    const reply = await server.client.post('/rerank', {
      query: { top: 'a b', '': '%2F' },
      body: { model: 'rank', documents: ['a', 'b'] },
    });
    expect(reply).toMatchObject({ results: [{ index: 1 }] });
    expect(upstream.received[0]?.url).toBe('/v1/rerank?top=a%20b&=%252F');
  });

  test('passes the error of the upstream on with its status, without the key that it quotes', async () => {
    await expect(server.client.post('/teapot', { body: {} })).rejects.toMatchObject({
      status: 418,
      code: 'teapot',
      message: '418 no coffee for Bearer [redacted]',
    });
  });
});

test('relays a stream of events unchanged', async () => {
  const response = await post('/beta/responses', { model: 'chat', stream: true });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toBe(
    responseEvents.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );
});

test('records usage by key and model', async () => {
  const admin = await server.makeKey({ project: 'default', role: 'admin' });
  await (await post('/rerank', { model: 'embed', documents: [] })).text();
  await (await post('/beta/responses', { model: 'embed' })).text();
  const start = Math.floor(Date.now() / 1000) - 86_400;
  await expect
    .poll(async () => {
      const reply = await fetch(`${server.url}/v1/organization/usage/completions?start_time=${start}&group_by=model`, {
        headers: { authorization: `Bearer ${admin}` },
      });
      return reply.text();
    })
    .toContain('"input_tokens":9');
});

test('forwards the headers of the request, except those for this server and hop-by-hop headers', async () => {
  const response = await post(
    '/rerank',
    { model: 'chat' },
    {
      'openai-beta': 'assistants=v2',
      'x-api-key': key,
      'x-custom-key': `Key ${key}`,
      cookie: 'a=b',
      origin: 'http://page.example',
      'x-forwarded-for': '10.0.0.1',
      'accept-encoding': 'gzip',
    },
  );
  await response.text();
  const received = upstream.received[0]?.headers ?? {};
  expect(received['openai-beta']).toBe('assistants=v2');
  expect(received['x-request-id']).toBe(response.headers.get('x-request-id'));
  expect(JSON.stringify(received)).not.toContain(key);
  for (const name of ['x-api-key', 'x-custom-key', 'cookie', 'origin', 'x-forwarded-for', 'accept-encoding']) {
    expect(received).not.toHaveProperty(name);
  }
});

test('accepts the key in x-api-key, as clients of the Messages API send it', async () => {
  const ask = (apiKey: string) =>
    fetch(`${server.url}/v1/rerank`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: '{"model":"chat"}',
    });
  expect((await ask(key)).status).toBe(200);
  expect(upstream.received[0]?.headers).toMatchObject({ 'anthropic-version': '2023-06-01' });
  expect(upstream.received[0]?.headers).not.toHaveProperty('x-api-key');
  expect((await ask('wrong')).status).toBe(401);
  expect(upstream.received).toHaveLength(1);
});

test('reports that the upstream refuses the key of the server, since the key of the client is valid', async () => {
  const response = await post('/refused', {});
  expect(response.status).toBe(502);
  const body = await response.text();
  expect(body).toContain('upstream_authentication_failed');
  expect(body).not.toContain('their-secret-key');
});

test('passes on redirects below the base URL as paths of this server, and no others', async () => {
  const ask = (path: string) => fetch(`${server.url}/v1${path}`, { headers, redirect: 'manual' });
  const moved = await ask('/moved');
  expect([moved.status, moved.headers.get('location')]).toEqual([307, '/v1/moved/here?a=1']);
  const away = await ask('/moved-away');
  expect([away.status, away.headers.get('location')]).toEqual([502, null]);
});

test('forwards every method, and replies without a body', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
    const response = await fetch(`${server.url}/v1/nothing`, { method, headers });
    expect([method, response.status, await response.text()]).toEqual([method, 204, '']);
  }
  expect(upstream.received.map(({ method }) => method)).toEqual(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']);
});

test('requires a key, and the permission that the method needs', async () => {
  const anonymous = await fetch(`${server.url}/v1/rerank`, { method: 'POST', body: '{}' });
  expect(anonymous.status).toBe(401);
  const readOnly = await server.makeKey({ project: 'default', role: 'read_only' });
  const refused = await post('/rerank', {}, { authorization: `Bearer ${readOnly}` });
  expect(refused.status).toBe(403);
  expect(upstream.received).toEqual([]);
});

test('a key for one model cannot use another, however the request names it', async () => {
  const limited = await server.makeKey({ project: 'default', allowedModels: ['rank'] });
  const statusOfBody = async (body: string | FormData, query = '', type = 'application/json'): Promise<number> => {
    const contentType = typeof body === 'string' ? { 'content-type': type } : undefined;
    const init = { method: 'POST', headers: { authorization: `Bearer ${limited}`, ...contentType }, body };
    return (await fetch(`${server.url}/v1/rerank${query}`, init)).status;
  };
  const form = (...models: string[]): FormData => {
    const data = new FormData();
    for (const model of models) data.append('model', model);
    return data;
  };
  expect(await statusOfBody('{"model":"rank"}')).toBe(200);
  expect(await statusOfBody(form('rank'))).toBe(200);
  expect(upstream.received).toHaveLength(2);
  expect(await statusOfBody('{"model":"other"}')).toBe(403);
  expect(await statusOfBody('{"query":"x"}')).toBe(403);
  expect(await statusOfBody('{"model":"other"}', '', 'application/json; charset=utf-16')).toBe(415);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=latin1'])
    expect(await statusOfBody('{"model":"other"}', '?model=rank', type)).toBe(415);
  for (const body of [
    '{"model":"rank","model":"other"}',
    '{"model":"rank","mod\\u0065l":"other"}',
    '{"model":"rank","Model":"other"}',
    `{"model":"rank","query":"${'x'.repeat(1_000_000)}","model":"other"}`,
    '{"model":"rank","query":"\0"}',
    form('rank', 'other'),
  ])
    expect(await statusOfBody(body)).toBe(403);
  for (const query of ['?model=other', '?model=rank&model=other', '?Model=other', '?x=1;model=other'])
    expect(await statusOfBody('{"model":"rank"}', query)).toBe(403);
  expect(await statusOfBody('{"query":"x"}', '?model=rank')).toBe(403);
  expect(upstream.received).toHaveLength(2);
});

/** The status of a request whose path is sent unchanged. */
async function statusOf(path: string, method = 'GET'): Promise<number> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`,
  );
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1]);
}

test.each([
  ['/v1/../admin', 404],
  ['/v1/%2e%2e/admin', 404],
  ['/v1/a%2f..%2f..%2fadmin', 404],
  ['/v1/%252e%252e/admin', 404],
  ['/v1/..\\admin', 404],
  ['/v1/a%5cadmin', 404],
  ['/v1//rerank', 404],
  ['/v1/rerank/', 404],
  ['/v1/CHAT/completions', 404],
  ['/v1/chat/complet%69ons', 404],
  ['/v1/re%00rank', 404],
  ['/v1/..;/admin', 404],
  ['/v1/chat/completions;a=b', 404],
  ['/v1/rerank#a', 404],
  ['/v1/rerank?a=b#&model=x', 400],
  ['/v1/rerank?a=\\b', 400],
  ['http://127.0.0.1:1/v1/../admin', 404],
  ['/admin', 404],
])('forwards nothing for the path %s', async (path, status) => {
  expect(await statusOf(path)).toBe(status);
  expect(upstream.received).toEqual([]);
});

test.each([
  ['PUT', '/v1/chat/completions'],
  ['POST', '/v1/models'],
  ['PATCH', '/v1/models/a/b'],
  ['PUT', '/v1/files/file-1'],
])('answers 405 for %s %s, which this server serves with another method', async (method, path) => {
  expect(await statusOf(path, method)).toBe(405);
  expect(upstream.received).toEqual([]);
});

test('does not forward unsupported methods', async () => {
  expect(await statusOf('/v1/rerank', 'OPTIONS')).toBe(404);
  expect(await statusOf('/v1/rerank', 'TRACE')).toBe(404);
  expect(upstream.received).toEqual([]);
});

describe('in both directions', () => {
  async function startStreaming(stream: NonNullable<Parameters<typeof startRecordingUpstream>[2]>) {
    const streaming = await startRecordingUpstream(['m'], {}, (request, response) => {
      // The server asks for the models, and at paths of certain products.
      if (request.url === '/v1/models' || !request.url?.startsWith('/v1/')) return false;
      return stream(request, response);
    });
    const other = await startTestServer({ simulator: false, upstreams: [{ baseURL: streaming.baseURL }] });
    onTestFinished(async () => {
      await other.stop();
      streaming.close();
    });
    return other.url;
  }

  test('forwards the body while the client is still sending it', async () => {
    const firstChunk = Promise.withResolvers<string>();
    const url = await startStreaming((incoming, response) => {
      let bytes = 0;
      incoming.on('data', (data: Buffer) => {
        firstChunk.resolve(data.toString());
        bytes += data.length;
      });
      incoming.on('end', () => json(response, 200, { bytes }));
      return true;
    });
    const outgoing = request(`${url}/v1/rerank`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
    });
    outgoing.write('first');
    expect(await firstChunk.promise).toBe('first');
    outgoing.end(' second');
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(await text(response)).toBe('{"bytes":12}');
  });

  test('ends the request to the upstream when the client disconnects', async () => {
    const closed = Promise.withResolvers<undefined>();
    const url = await startStreaming((_, response) => {
      response.on('close', () => closed.resolve(undefined));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {}\n\n');
      return true;
    });
    const controller = new AbortController();
    const { signal } = controller;
    const response = await fetch(`${url}/v1/rerank`, { method: 'POST', headers, body: '{}', signal });
    await response.body?.getReader().read();
    controller.abort();
    await expect(closed.promise).resolves.toBeUndefined();
  });

  test('reads the reply no faster than the client does', async () => {
    const total = 96 * 1024 * 1024;
    const piece = Buffer.alloc(1024 * 1024);
    let written = 0;
    const url = await startStreaming((_, response) => {
      const write = (): void => {
        while (written < total) {
          written += piece.length;
          if (!response.write(piece)) {
            response.once('drain', write);
            return;
          }
        }
        response.end();
      };
      write();
      return true;
    });
    const response = await fetch(`${url}/v1/files-of-theirs`, { headers });
    let read = 0;
    for await (const bytes of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      read += bytes.length;
      expect(written - read).toBeLessThan(24 * 1024 * 1024);
    }
    expect(read).toBe(total);
  });

  test('interrupts the reply when the upstream does', async () => {
    const url = await startStreaming((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"half":', () => response.destroy());
      return true;
    });
    const response = await fetch(`${url}/v1/rerank`, { method: 'POST', headers, body: '{}' });
    await expect(response.text()).rejects.toThrow('terminated');
  });
});

describe('with several upstreams', () => {
  async function startTwo(more: Parameters<typeof startTestServer>[0] = {}) {
    const reply = { '/rerank': (response: Parameters<typeof json>[0]) => json(response, 200, {}) };
    const a = await startRecordingUpstream(['one', 'both'], reply);
    const b = await startRecordingUpstream(['two', 'both'], reply);
    const two = await startTestServer({
      simulator: false,
      upstreams: [
        { name: 'a', baseURL: a.baseURL },
        { name: 'b', baseURL: b.baseURL, paths: ['/audio/*'] },
      ],
      ...more,
    });
    onTestFinished(async () => {
      await two.stop();
      a.close();
      b.close();
    });
    const ask = async (path: string, body: string | FormData | undefined, contentType?: string) => {
      const response = await fetch(`${two.url}/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, ...(contentType && { 'content-type': contentType }) },
        body: body ?? null,
      });
      return {
        status: response.status,
        upstream: response.headers.get('x-modelwire-upstream'),
        text: await response.text(),
      };
    };
    return { a, b, ask };
  }
  const type = 'application/json';

  test('the model of a JSON body, a form or the query selects the upstream', async () => {
    const { ask, b } = await startTwo();
    const body = '{ "documents": ["\\"model\\": \\"two\\""], "inner": {"model": "two"}, "model": "one" }';
    expect(await ask('/rerank', body, type)).toMatchObject({ status: 200, upstream: 'a' });
    const form = new FormData();
    form.append('file', new Blob([audio]), 'a.wav');
    form.append('model', 'two');
    expect(await ask('/rerank', form)).toMatchObject({ status: 200, upstream: 'b' });
    expect(b.received.at(-1)?.body.includes(audio)).toBe(true);
    expect(await ask('/rerank?model=two', undefined)).toMatchObject({ status: 200, upstream: 'b' });
    expect(await ask('/rerank?model=one', 'plain', 'text/plain')).toMatchObject({ status: 200, upstream: 'a' });
  });

  test('a path that is configured for an upstream takes precedence over the model', async () => {
    const { ask } = await startTwo();
    expect(await ask('/audio/speech', '{"model":"one"}', type)).toMatchObject({ status: 404, upstream: 'b' });
  });

  test('a model that no upstream serves is a 404; a missing model is a 400 that names the parameter', async () => {
    const { ask, a, b } = await startTwo();
    expect((await ask('/rerank', '{"model":"three"}', type)).text).toContain('model_not_found');
    expect(await ask('/rerank', '{"documents":[]}', type)).toMatchObject({ status: 400, upstream: null });
    expect((await ask('/rerank', '{"documents":[]}', type)).text).toContain('"param":"model"');
    expect(await ask('/rerank', '{"model":', type)).toMatchObject({ status: 400, upstream: null });
    expect(await ask('/rerank', '{"model":["one"]}', type)).toMatchObject({ status: 400, upstream: null });
    expect(await ask('/rerank', undefined)).toMatchObject({ status: 404, upstream: null });
    expect([...a.received, ...b.received]).toEqual([]);
  });

  test('JSON beyond the size limit is a 413, and a form whose model is beyond it', async () => {
    const { ask, a } = await startTwo({ maxBodyBytes: 100_000 });
    const body = JSON.stringify({ model: 'one', input: 'x'.repeat(200_000) });
    expect((await ask('/rerank', body, type)).status).toBe(413);
    const form = (...names: readonly ('model' | 'file')[]): FormData => {
      const data = new FormData();
      for (const name of names) data.append(name, name === 'model' ? 'one' : new Blob([audio]));
      return data;
    };
    expect((await ask('/rerank', form('file', 'model'))).status).toBe(413);
    expect(await ask('/rerank', form('model', 'file'))).toMatchObject({ status: 200, upstream: 'a' });
    expect(a.received).toHaveLength(1);
  });

  test('replaces only the model by its name at the upstream', async () => {
    const { ask, a } = await startTwo({
      models: {
        embed: { upstreamModel: 'BAAI/bge-m3', upstreams: ['a'] },
        'text-embedding-3-small': { model: 'embed' },
      },
    });
    const body = '{"input":"é","model":"text-embedding-3-small","n":1}';
    expect(await ask('/rerank', body, type)).toMatchObject({ status: 200, upstream: 'a' });
    expect(a.received.at(-1)?.body.toString()).toBe('{"input":"é","model":"BAAI/bge-m3","n":1}');
    const form = new FormData();
    form.append('model', 'embed');
    form.append('file', new Blob([audio]), 'a.wav');
    expect(await ask('/rerank', form)).toMatchObject({ status: 200, upstream: 'a' });
    expect(a.received.at(-1)?.body.toString()).toContain('\r\n\r\nBAAI/bge-m3\r\n--');
    expect(await ask('/rerank?x=1&model=embed', undefined)).toMatchObject({ status: 200, upstream: 'a' });
    expect(a.received.at(-1)?.url).toBe('/v1/rerank?x=1&model=BAAI%2Fbge-m3');
  });
});

test('an upstream that is unreachable is a 503 with our error', async () => {
  const stoppedUpstream = await startRecordingUpstream(['m']);
  const other = await startTestServer({ upstreams: [{ baseURL: stoppedUpstream.baseURL }] });
  onTestFinished(() => other.stop());
  stoppedUpstream.close();
  const response = await fetch(`${other.url}/v1/rerank`, { method: 'POST', headers, body: '{"model":"m"}' });
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toMatchObject({ error: { code: 'upstream_unavailable' } });
});

test.each([
  ['false', { passThrough: false }, '/rerank', 404],
  ['a list of paths without it', { passThrough: ['/audio/*', '/ranking'] }, '/rerank', 404],
  ['a list of paths with it', { passThrough: ['/audio/*', '/rerank'] }, '/rerank', 200],
  ['moderation and no option', { moderate: 'input' as const }, '/rerank', 404],
  ['moderation and true', { moderate: 'input' as const, passThrough: true }, '/rerank', 200],
])('forwards by its option: %s', async (_, config, path, status) => {
  const limited = await startTestServer({ upstreams: [{ baseURL: upstream.baseURL }], ...config });
  onTestFinished(() => limited.stop());
  const response = await fetch(`${limited.url}/v1${path}`, { method: 'POST', headers, body: '{}' });
  expect(response.status).toBe(status);
});

test('applies request and token limits', async () => {
  const limited = await startTestServer({ upstreams: [{ baseURL: upstream.baseURL }], tokensPerMinute: 6 });
  onTestFinished(() => limited.stop());
  const ask = async () => {
    const response = await fetch(`${limited.url}/v1/rerank`, { method: 'POST', headers, body: '{}' });
    await response.text();
    return response;
  };
  expect((await ask()).headers.get('x-ratelimit-limit-tokens')).toBe('6');
  const second = await ask();
  expect(second.status).toBe(429);
  expect(upstream.received).toHaveLength(1);
});
