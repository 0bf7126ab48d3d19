import { expect, test, onTestFinished } from 'vitest';
import { createChunkBuffer } from './request-bodies.ts';
import { request as httpRequest } from 'node:http';
import { formBytes, formType } from '../testing/form.ts';
import { key, listen } from '../testing/listen.ts';
import { memoryWork } from '../testing/memory-work.ts';

test('stores 100,000 chunks of one byte in a few blocks', () => {
  const buffer = createChunkBuffer();
  const sent = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
  for (let index = 0; index < sent.length; index++) buffer.add(sent.subarray(index, index + 1));
  expect(buffer.length).toBe(100_000);
  expect(buffer.blockCount).toBeLessThan(12);
  expect(Buffer.compare(buffer.join(), sent)).toBe(0);
});

test('joins small and large chunks in order', () => {
  const buffer = createChunkBuffer();
  const chunks = [3, 0, 70_000, 1, 1, 200_000, 1, 65_536, 2].map((length, index) => new Uint8Array(length).fill(index));
  for (const chunk of chunks) buffer.add(chunk);
  expect(buffer.blockCount).toBeLessThanOrEqual(chunks.length);
  expect(Buffer.compare(buffer.join(), Buffer.concat(chunks))).toBe(0);
});

test('does not copy a single chunk, and joins no chunks to an empty array', () => {
  const chunk = Uint8Array.of(1, 2, 3);
  const buffer = createChunkBuffer();
  expect(buffer.join()).toHaveLength(0);
  buffer.add(chunk);
  expect(buffer.join()).toBe(chunk);
});

test('buffers have no own accessors: V8 keeps the hidden class of each such object until the next full garbage collection', () => {
  const own = Object.getOwnPropertyDescriptors(createChunkBuffer());
  expect(Object.values(own).filter(({ get }) => get !== undefined)).toEqual([]);
});

const headers = { authorization: `Bearer ${key}`, 'content-type': formType };
const form = formBytes([
  { name: 'purpose', body: 'evals' },
  { name: 'file', filename: 'a', body: 'content' },
]);

test('returns 503 with Retry-After while the maximum number of forms is being received', async () => {
  const { stores, blobs, reserved } = memoryWork();
  const { url, server } = await listen({ engines: [], stores, blobs, worker: false, maxConcurrentUploads: 2 });
  const send = () => fetch(`${url}/v1/files`, { method: 'POST', headers, body: new Uint8Array(form) });
  const slow = Array.from({ length: 2 }, () => {
    const sending = httpRequest(`${url}/v1/files`, { method: 'POST', headers });
    sending.on('error', () => undefined);
    sending.write(form.subarray(0, -30));
    onTestFinished(() => void sending.destroy());
    return sending;
  });
  await expect.poll(() => reserved.size).toBe(2);
  const refused = await send();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.json()).toMatchObject({ error: { code: 'overloaded' } });
  slow[0]?.destroy();
  await expect.poll(() => server.inFlight()).toBe(1);
  expect((await send()).status).toBe(200);
  // Forms that were refused release their permits too.
  for (let n = 0; n < 3; n++) {
    const wrong = await fetch(`${url}/v1/files`, { method: 'POST', headers, body: 'no form' });
    expect(wrong.status).toBe(400);
  }
  expect((await send()).status).toBe(200);
});
