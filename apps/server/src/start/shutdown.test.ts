import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

function open({ url }: TestServer): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

const head = (length: number) =>
  `POST /v1/chat/completions HTTP/1.1\r\nhost: here\r\nauthorization: Bearer ${key}\r\n` +
  `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

const endless = JSON.stringify({
  model: 'talker',
  n: 128,
  stream: true,
  messages: [{ role: 'user', content: 'Go on.' }],
});

const longReplyConfig = { simulator: { models: [{ id: 'talker', reply: 'and on '.repeat(4000) }] } };

test('stops while a client does not read its response', async () => {
  const server = await startTestServer(longReplyConfig);
  const socket = open(server);
  socket.write(head(endless.length) + endless);
  await new Promise((resolve) => socket.once('readable', resolve));
  await server.stop();
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
});

test('stops while a request body is incomplete', async () => {
  const server = await startTestServer();
  const socket = open(server);
  socket.write(`${head(1000)}{"mo`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await server.stop();
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
});
