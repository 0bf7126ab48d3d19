import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { drainStream, engineRequest, rejection, relayStream, relayWhole } from '../../test/engine-request.ts';
import { chunk, completion, frames, startEventStream } from '../../test/fake-server.ts';
import { startUpstream } from '../../test/start-upstream.ts';

type Encode = (bytes: Buffer) => Buffer;

const encodings: readonly (readonly [coding: string, encode: Encode])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', (bytes) => brotliCompressSync(bytes)],
  ['zstd', zstdCompressSync],
  ['deflate, gzip', (bytes) => gzipSync(deflateSync(bytes))],
  ['identity', (bytes) => bytes],
];
const payloads = [chunk({ content: 'Grüße' }), chunk({}, 'stop')];

test('asks for no content coding', async () => {
  const { fake, engine } = await startUpstream((response) => response.end(JSON.stringify(completion)));
  await relayWhole(engine, engineRequest());
  expect(fake.requests[0]?.headers['accept-encoding']).toBe('identity');
});

test.each(encodings)('decodes a whole reply with content-encoding %s', async (coding, encode) => {
  const bytes = encode(Buffer.from(JSON.stringify(completion)));
  const { engine } = await startUpstream((response) =>
    response.writeHead(200, { 'content-encoding': coding, 'content-length': bytes.length }).end(bytes),
  );
  expect(await relayWhole(engine, engineRequest())).toEqual(completion);
});

test.each(encodings)('decodes a stream with content-encoding %s', async (coding, encode) => {
  const bytes = encode(Buffer.from(frames(...payloads, '[DONE]')));
  const { engine } = await startUpstream((response) => {
    response.setHeader('content-encoding', coding);
    startEventStream(response).end(bytes);
  });
  expect(await drainStream(engine, engineRequest({ stream: true }))).toEqual({ payloads });
});

test.each(encodings)('reads the message of an error with content-encoding %s', async (coding, encode) => {
  const bytes = encode(Buffer.from(JSON.stringify({ error: { message: 'bad temperature' } })));
  const { engine } = await startUpstream((response) =>
    response.writeHead(400, { 'content-encoding': coding }).end(bytes),
  );
  expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({
    status: 400,
    message: 'bad temperature',
  });
});

test('passes on each event of a compressed stream before the next one arrives', async () => {
  const { createGzip } = await import('node:zlib');
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  const { engine } = await startUpstream((response) => {
    response.setHeader('content-encoding', 'gzip');
    gzip.pipe(startEventStream(response));
    gzip.write(frames(payloads[0] ?? ''));
  });
  const stream = await relayStream(engine, engineRequest({ stream: true }));
  expect((await stream.next()).value).toMatchObject([{ text: payloads[0] }]);
  gzip.end(frames(payloads[1] ?? '', '[DONE]'));
  expect((await stream.next()).value).toMatchObject([{ text: payloads[1] }]);
  expect((await stream.next()).done).toBe(true);
});

test.each<[what: string, coding: string, bytes: Buffer]>([
  ['an unknown coding', 'compress', Buffer.from('x')],
  ['a coding inside of three others', 'gzip, gzip, gzip, gzip', gzipSync('{}')],
  ['bytes of another format', 'gzip', Buffer.from(JSON.stringify(completion))],
  ['bytes that end early', 'gzip', gzipSync(JSON.stringify(completion)).subarray(0, -12)],
])('treats %s as a malformed reply', async (_, coding, bytes) => {
  const { engine } = await startUpstream(
    (response) => response.writeHead(200, { 'content-encoding': coding }).end(bytes),
    {},
    { retries: 0 },
  );
  expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({
    status: 502,
    message: expect.stringMatching(/a content coding that cannot be decoded/) as unknown,
  });
});

test('keeps the status of an error that cannot be decoded', async () => {
  const { engine } = await startUpstream((response) =>
    response.writeHead(429, { 'content-encoding': 'compress' }).end('x'),
  );
  expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({ status: 429 });
});

test('refuses a whole reply that decodes to more than 64 MiB', async () => {
  const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, 32));
  const { engine } = await startUpstream(
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    {},
    { retries: 0 },
  );
  expect(await rejection(relayWhole(engine, engineRequest()))).toMatchObject({
    status: 502,
    message: expect.stringMatching(/too large/) as unknown,
  });
});

test('ends a stream whose comments decode to more than 256 MiB', async () => {
  const comments = Buffer.from(`: ${'x'.repeat(1024 * 1024 - 4)}\n\n`);
  const bomb = brotliCompressSync(Buffer.concat(Array.from({ length: 257 }, () => comments)), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  });
  const { engine } = await startUpstream(
    (response) => {
      response.setHeader('content-encoding', 'br');
      startEventStream(response).end(bomb);
    },
    {},
    { retries: 0 },
  );
  const { error } = await drainStream(engine, engineRequest({ stream: true }));
  expect(error).toMatchObject({ message: expect.stringMatching(/a content coding that cannot be decoded/) as unknown });
}, 60_000);
