import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { key, serve } from './testing/serve.ts';
import type { Served } from './testing/serve.ts';

function open({ url }: Served): Socket {
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

const talker = { simulator: { models: [{ id: 'talker', reply: 'and on '.repeat(4000) }] } };

test('a reader that takes nothing does not keep the server from stopping', async () => {
  const served = await serve(talker);
  const socket = open(served);
  socket.write(head(endless.length) + endless);
  await new Promise((resolve) => socket.once('readable', resolve));
  await served.stop();
  await expect(fetch(`${served.url}/healthz`)).rejects.toThrow();
});

test('a body that is never sent to its end does not keep the server from stopping', async () => {
  const served = await serve();
  const socket = open(served);
  socket.write(`${head(1000)}{"mo`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await served.stop();
  await expect(fetch(`${served.url}/healthz`)).rejects.toThrow();
});
