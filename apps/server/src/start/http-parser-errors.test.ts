import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** Sends bytes and returns the raw response. */
function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let answer = '';
    socket.on('data', (piece) => {
      answer += piece.toString();
      // The server may keep the connection for another request.
      if (answer.endsWith('}}') || answer.endsWith('\r\n0\r\n\r\n')) socket.destroy();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', () => resolve(answer));
  });
}

test.each([
  ['garbage', 'hello\r\n\r\n', 400],
  [
    'two content-length headers',
    'POST /v1/models HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
    400,
  ],
  [
    'content-length with transfer-encoding',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
    400,
  ],
  ['an invalid host', 'GET /healthz HTTP/1.1\r\nhost: a b\r\n\r\n', 400],
  ['two hosts', 'GET /healthz HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n', 400],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400],
  ['headers that are too large', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431],
  ['an unsupported expect header', 'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nexpect: foo\r\n\r\n', 417],
])('rejects %s with the standard error shape and a request ID', async (_, bytes, status) => {
  const answer = await sendRaw(bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.toLowerCase()).toMatch(/x-request-id: req_\w+/);
  expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
  const body = answer.slice(answer.indexOf('{"error"')).replace(/\r\n0\r\n\r\n$/, '');
  expect(JSON.parse(body)).toEqual({
    error: {
      message: expect.any(String) as string,
      type: 'invalid_request_error',
      param: null,
      code: expect.stringMatching(/^[a-z_]+$/) as string,
    },
  });
});
