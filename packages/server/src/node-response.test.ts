import { once } from 'node:events';
import { IncomingMessage, ServerResponse, createServer } from 'node:http';
import { Socket, connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { HttpResponse } from './http/reply.ts';
import { writeResponse } from './node.ts';

function exchange() {
  const request = new IncomingMessage(new Socket());
  request.complete = true;
  return { request, response: new ServerResponse(request) };
}

test('a response that fails to end does not affect others of the same event-loop turn', async () => {
  const [first, second] = [exchange(), exchange()];
  const failure = new Error('wrapped by somebody');
  first.response.end = () => {
    throw failure;
  };
  const report = vi.fn();
  for (const { request, response } of [first, second]) {
    writeResponse({ status: 200, headers: {}, body: 'Hi' }, request, response, {
      expectsContinue: false,
      report,
      writeTimeoutMs: 60_000,
    });
  }
  await new Promise(setImmediate);
  expect(report.mock.calls).toEqual([['a response could not be written', failure]]);
  expect([first.response.destroyed, second.response.writableEnded]).toEqual([true, true]);
});

test.each(['plain', 'naïve', '€ 😀'])('the body %j arrives as UTF-8', async (body) => {
  const { client } = await unread(() => body);
  client.setEncoding('utf8').resume();
  let received = '';
  client.on('data', (text: string) => (received += text));
  await expect.poll(() => received.split('\r\n\r\n')[1]).toBe(body);
  expect(received).toContain(`content-length: ${Buffer.byteLength(body)}\r\n`);
});

/** A server that responds to each request with this body, and a connection to it that reads nothing. */
async function unread(body: () => HttpResponse['body'], { writeTimeoutMs = 100, requests = 1 } = {}) {
  const http = createServer((request, response) => {
    const options = { expectsContinue: false, report: () => undefined, writeTimeoutMs };
    // The request is complete by then, as when an endpoint responds.
    setImmediate(() => writeResponse({ status: 200, headers: {}, body: body() }, request, response, options));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const accepted = once(http, 'connection') as Promise<[Socket]>;
  const client = connect((http.address() as AddressInfo).port, '127.0.0.1').pause();
  client.on('error', () => undefined);
  onTestFinished(() => {
    client.destroy();
    http.closeAllConnections();
    http.close();
  });
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(requests));
  const [socket] = await accepted;
  return { socket, client };
}

/** More than the buffers of the operating system hold. */
const manyBytes = 30_000_000;

function pipeOf(pieces: Iterable<Uint8Array>) {
  const iterator = pieces[Symbol.iterator]();
  return {
    next: () => Promise.resolve(iterator.next().value as Uint8Array | undefined),
    cancel: vi.fn(),
    onStall: () => undefined,
    done: Promise.resolve(),
  };
}

describe('closes the connection of a client that reads nothing', () => {
  test('of a long complete response', async () => {
    const { socket } = await unread(() => 'x'.repeat(manyBytes));
    await once(socket, 'close');
    expect(socket.bytesWritten).toBeLessThan(manyBytes);
  });

  test('of short responses to pipelined requests', async () => {
    const { socket } = await unread(() => 'x'.repeat(200_000), { requests: manyBytes / 200_000 });
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });

  test('of pieces, and cancels their source', async () => {
    const pipe = pipeOf(Array.from({ length: manyBytes / 60_000 }, () => new Uint8Array(60_000)));
    const { socket } = await unread(() => pipe);
    await once(socket, 'close');
    expect(pipe.cancel).toHaveBeenCalled();
  });

  test('of the last piece', async () => {
    const { socket } = await unread(() => pipeOf([new Uint8Array(manyBytes)]));
    await once(socket, 'close');
    expect(socket.destroyed).toBe(true);
  });
});

test('a client that pauses for less than the limit receives a long complete response to the last byte', async () => {
  const { client } = await unread(() => 'x'.repeat(manyBytes), { writeTimeoutMs: 60_000 });
  let length = 0;
  client.on('data', (piece: Buffer) => {
    length += piece.length;
    client.pause();
    setImmediate(() => client.resume());
  });
  client.resume();
  await expect.poll(() => length).toBeGreaterThan(manyBytes);
});
