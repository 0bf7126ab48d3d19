import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHostCheck } from './host-check.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ allowedHosts: ['API.example.com'] });
});
afterAll(() => server.stop());

/** The status line and the code of the error of a request with this head. */
function request(path: string, host: string, headers = ''): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\n${headers}\r\n`);
    let reply = '';
    socket.on('data', (piece) => {
      reply += piece.toString();
      if (reply.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('close', () => resolve(`${reply.slice(9, 12)} ${/"code":"(\w+)"/.exec(reply)?.[1] ?? ''}`.trim()));
    socket.on('error', reject);
  });
}

const upgrade =
  'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

describe('a server on a loopback address', () => {
  test.each([
    ['/healthz', '', '200'],
    ['/readyz', '', '200'],
    ['/metrics', '', '200'],
    ['/v1/models', '', '200'],
    ['/v1/models', 'expect: 100-continue\r\n', '200'],
    ['/openapi.json', '', '200'],
    ['/docs', '', '200'],
    ['/console/', '', '200'],
    ['/unknown', '', '404'],
    ['/v1/responses', upgrade, '101'],
  ])('refuses %s %s for the host of a web page', async (path, headers, status) => {
    const { port } = new URL(server.url);
    expect(await request(path, `rebinding.example:${port}`, headers)).toBe('403 host_not_allowed');
    expect(await request(path, `localhost:${port}`, headers)).toContain(status);
  });

  test.each([
    'localhost',
    'LOCALHOST.',
    'app.localhost:1',
    '127.0.0.1',
    '[::1]:8787',
    '192.168.0.2',
    'api.example.com',
  ])('serves the host %s', async (host) => expect(await request('/healthz', host)).toBe('200'));

  test.each([
    'localhost.example.com',
    'example.com',
    'sub.api.example.com',
    '127.0.0.1.example.com',
    'notlocalhost',
    'localhost@example.com',
    '[::1',
  ])('refuses the host %s', async (host) => expect(await request('/healthz', host)).toMatch(/^40[03] /));
});

test.each([
  ['0.0.0.0', []],
  ['192.168.0.2', []],
  ['127.0.0.1', ['*']],
])('a server on %s with allowedHosts %j serves every host', (host, allowedHosts) => {
  let served = 0;
  const { listener, upgradeListener } = createHostCheck({ host, allowedHosts });
  const incoming = new IncomingMessage(new Socket());
  incoming.headers.host = 'example.com';
  listener(() => served++)(incoming, new ServerResponse(incoming));
  upgradeListener(() => served++)(incoming, new Socket(), Buffer.alloc(0));
  expect(served).toBe(2);
});
