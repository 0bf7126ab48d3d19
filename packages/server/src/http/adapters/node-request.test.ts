import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { listenForTest } from '@modelwire/vitest/listen';
import { expect, onTestFinished, test } from 'vitest';
import { receiveBody } from './node-request.ts';

/** Bytes that Node reads from a socket at once. */
const socketReadBytes = 64 * 1024;

/** Sends a body, and resolves with the request that has received its head. */
async function send(framing: string, body: string): Promise<IncomingMessage> {
  let onRequest = (_request: IncomingMessage): void => undefined;
  const received = new Promise<IncomingMessage>((resolve) => (onRequest = resolve));
  const server = createServer((request) => onRequest(request));
  const { port } = new URL(`http://${await listenForTest(server)}`);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`POST / HTTP/1.1\r\nhost: localhost\r\n${framing}\r\n\r\n${body}`);
  return received;
}

test('of a body in chunks of one byte, at most what came with one read of the socket is passed on in a turn, as one piece', async () => {
  const total = 100_000;
  const chunk = '1\r\nx\r\n';
  const request = await send('transfer-encoding: chunked', `${chunk.repeat(total)}0\r\n\r\n`);
  let turn = 0;
  const nextTurn = (): void => {
    turn++;
    immediate = setImmediate(nextTurn);
  };
  let immediate = setImmediate(nextTurn);
  const pieces: { readonly turn: number; readonly bytes: number }[] = [];
  receiveBody(request, ({ byteLength: bytes }) => void pieces.push({ turn, bytes }));
  await new Promise((resolve) => request.on('end', resolve));
  clearImmediate(immediate);
  expect(pieces.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(total);
  expect(new Set(pieces.map((piece) => piece.turn)).size).toBe(pieces.length);
  expect(Math.max(...pieces.map(({ bytes }) => bytes))).toBeLessThanOrEqual(socketReadBytes / chunk.length + 1);
  expect(pieces.length).toBeLessThan(total / 100);
});

test('a body is received in full, and not after receiving was stopped', async () => {
  const body = 'abc'.repeat(200_000);
  const request = await send(`content-length: ${body.length}`, body);
  let text = '';
  const stop = receiveBody(request, (bytes) => {
    text += Buffer.from(bytes).toString();
    if (text.length > 300_000) {
      stop();
      receiveBody(request, (rest) => (text += Buffer.from(rest).toString()));
    }
  });
  await new Promise((resolve) => request.on('end', resolve));
  expect(text === body).toBe(true);
});
