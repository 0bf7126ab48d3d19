import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeFetch } from './node-fetch.ts';

// The global fetch and ours pass the same tests.
describe.each([
  ['the global fetch', async (url: string, init: RequestInit) => fetch(url, init)],
  ['nodeFetch', nodeFetch],
])('%s', (_, ask) => {
  test('sends method, headers and text, and returns status, headers and text', async () => {
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        response.writeHead(201, { 'x-request-id': 'req_1', 'set-cookie': ['a=1', 'b=2'] });
        const { 'content-type': type, 'content-length': length, authorization } = request.headers;
        response.end(JSON.stringify([request.method, request.url, type, length, authorization, body]));
      });
    });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-1' };
    const answer = await ask(`${url}/a?b=c`, { method: 'POST', headers, body: '{"said":"jó"}' });
    const { status, statusText, ok, redirected, bodyUsed } = answer;
    expect({ status, statusText, ok, redirected, bodyUsed, url: answer.url }).toEqual({
      status: 201,
      statusText: 'Created',
      ok: true,
      redirected: false,
      bodyUsed: false,
      url: `${url}/a?b=c`,
    });
    expect(answer.headers.get('X-Request-Id')).toBe('req_1');
    expect(answer.headers.get('set-cookie')).toBe('a=1, b=2');
    expect(answer.headers.get('constructor')).toBeNull();
    expect(answer.headers.has('x-request-id')).toBe(true);
    expect(answer.headers.has('constructor')).toBe(false);
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect([...answer.headers.keys()]).toContain('x-request-id');
    expect(await answer.json()).toEqual(['POST', '/a?b=c', 'application/json', '14', 'Bearer sk-1', '{"said":"jó"}']);
    expect(answer.bodyUsed).toBe(true);
  });

  test('yields bytes as they arrive', async () => {
    let more: (text: string) => void = () => undefined;
    const url = await serve((_, response) => {
      more = (text) => void response.write(text);
      response.flushHeaders();
    });
    const { body } = await ask(url, {});
    const reader = body?.getReader();
    for (const text of ['one', 'two']) {
      more(text);
      const { value } = (await reader?.read()) ?? {};
      expect(new TextDecoder().decode(value)).toBe(text);
    }
  });

  test('applies backpressure', async () => {
    let sent = 0;
    const url = await serve((_, response) => {
      const block = Buffer.alloc(1 << 20);
      const send = (): void => {
        while (sent < 512 && !response.destroyed) {
          sent += 1;
          if (!response.write(block)) {
            response.once('drain', send);
            return;
          }
        }
      };
      send();
    });
    const { body } = await ask(url, {});
    const reader = body?.getReader();
    await reader?.read();
    await expect.poll(async () => settled(() => sent), { timeout: 20_000 }).toBe(true);
    // Only as much is sent as fits in the buffers of the system.
    expect(sent).toBeLessThan(64);
    await reader?.cancel();
  });

  test('cancelling the body closes the connection', async () => {
    let disconnected: Promise<unknown> = Promise.resolve();
    const url = await serve((_, response) => {
      disconnected = once(response, 'close');
      response.write('one');
    });
    const { body } = await ask(url, {});
    await body?.cancel();
    await expect(disconnected).resolves.toEqual([]);
  });

  test('a signal aborts the request and the response', async () => {
    const closed: string[] = [];
    const before = new AbortController();
    const url = await serve((request, response) => {
      response.on('close', () => closed.push(request.url ?? ''));
      if (request.url === '/late') before.abort();
      else response.write('one');
    });
    await expect(ask(`${url}/late`, { signal: before.signal })).rejects.toThrow();

    const during = new AbortController();
    const { body } = await ask(`${url}/begun`, { signal: during.signal });
    const reader = body?.getReader();
    await reader?.read();
    during.abort();
    await expect(reader?.read()).rejects.toThrow();
    await expect.poll(() => closed.toSorted()).toEqual(['/begun', '/late']);

    await expect(ask(url, { signal: AbortSignal.abort() })).rejects.toThrow();
  });

  test('a failed or closed connection is a TypeError with its cause', async () => {
    const free = await serve(() => undefined);
    await closeServers();
    const refused: unknown = await ask(free, {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(TypeError);
    expect(refused).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half');
      setTimeout(() => response.destroy(), 20);
    });
    const broken: unknown = await (await ask(url, {})).text().catch((error: unknown) => error);
    expect(broken).toBeInstanceOf(TypeError);
    // Node.js reports "aborted" although the client did not abort.
    const message: unknown = expect.not.stringMatching(/^aborted$/);
    expect(broken).toMatchObject({ message: 'terminated', cause: { message } });
  });

  test.each([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('decompresses %s', async (encoding, pack) => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.end(pack('packed'));
    });
    expect(await (await ask(url, {})).text()).toBe('packed');
  });

  test('invalid compressed data is an error', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end('not packed at all');
    });
    await expect((await ask(url, {})).text()).rejects.toBeInstanceOf(TypeError);
  });

  test.each([
    [301, 'GET /there '],
    [302, 'GET /there '],
    [303, 'GET /there '],
    [307, 'POST /there {}'],
    [308, 'POST /there {}'],
  ])(
    'follows a redirect with status %i, and sends the body only where the standard requires it',
    async (status, next) => {
      const seen: string[] = [];
      const url = await serve((request, response) => {
        let body = '';
        request.on('data', (chunk) => (body += String(chunk)));
        request.on('end', () => {
          const { 'content-type': type = '', authorization = '' } = request.headers;
          seen.push(`${request.method} ${request.url} ${body}`, `${type} ${authorization}`);
          if (request.url === '/there') response.end('there');
          else response.writeHead(status, { location: '/there' }).end();
        });
      });
      const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-1' };
      const answer = await ask(`${url}/here`, { method: 'POST', headers, body: '{}' });
      expect([answer.url, await answer.text()]).toEqual([`${url}/there`, 'there']);
      const type = next.startsWith('POST') ? 'application/json' : '';
      expect(seen).toEqual(['POST /here {}', 'application/json Bearer sk-1', next, `${type} Bearer sk-1`]);
    },
  );

  test('sends no credentials to another origin', async () => {
    const keys: unknown[] = [];
    const other = await serve((request, response) => {
      keys.push(request.headers.authorization);
      response.end();
    });
    const url = await serve((_, response) => response.writeHead(307, { location: other }).end());
    await ask(url, { headers: { authorization: 'Bearer sk-1' } });
    expect(keys).toEqual([undefined]);
  });

  test.each([
    ['a record', { 'x-a': 'b' }],
    ['Headers', new Headers({ 'X-A': 'b' })],
    ['pairs', [['X-A', 'b']] satisfies [string, string][]],
  ])('sends a body with DELETE, and headers as %s', async (_what, headers) => {
    const url = await serve((request, response) => {
      response.setHeader('x-said', `${request.method} ${String(request.headers['x-a'])}`);
      request.pipe(response);
    });
    const answer = await ask(url, { method: 'DELETE', headers, body: '{}' });
    expect([answer.headers.get('x-said'), await answer.text()]).toEqual(['DELETE b', '{}']);
  });

  test('a server that switches protocols is an error', async () => {
    const url = await serve((_, response) => {
      response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n');
    });
    await expect(ask(url, {})).rejects.toMatchObject({ message: 'fetch failed', cause: expect.any(Error) as unknown });
  });

  test('a body can be cancelled when only its end is unread', async () => {
    const length = 200_000;
    const url = await serve((_, response) => {
      response.write(Buffer.alloc(length - 1));
      response.end('.');
    });
    for (let n = 0; n < 20; n++) {
      const reader = (await ask(url, {})).body?.getReader();
      for (let read = 0; read < length;) read += (await reader?.read())?.value?.length ?? length;
      await expect(reader?.cancel()).resolves.toBeUndefined();
    }
  });

  test.each([204, 304])('a response with status %i has no body, and keeps the connection usable', async (status) => {
    const url = await serve((_, response) => response.writeHead(status).end());
    const answer = await ask(url, {});
    expect([answer.status, answer.body, await answer.text()]).toEqual([status, null, '']);
  });

  test('sends bytes and forms unchanged', async () => {
    const url = await serve((request, response) => {
      response.setHeader('content-type', request.headers['content-type'] ?? 'none');
      request.pipe(response);
    });
    const bytes = await ask(url, { method: 'POST', body: new Uint8Array([0, 255, 10]) });
    expect(new Uint8Array(await bytes.arrayBuffer())).toEqual(new Uint8Array([0, 255, 10]));
    const form = new FormData();
    form.set('purpose', 'batch');
    const echoed = await ask(url, { method: 'POST', body: form });
    expect([...(await echoed.formData())]).toEqual([['purpose', 'batch']]);
  });
});

const closers: (() => Promise<void>)[] = [];

async function closeServers(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  onTestFinished(closeServers);
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** Whether a count does not change for a while. */
async function settled(count: () => number): Promise<boolean> {
  const before = count();
  await new Promise((resolve) => setTimeout(resolve, 300));
  return before > 0 && count() === before;
}
