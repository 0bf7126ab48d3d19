import fc from 'fast-check';
import { expect, test } from 'vitest';
import { json, startRecordingServer } from '../../test/recording.ts';
import type { RecordedRequest } from '../../test/recording.ts';
import { toStream } from '../streams/chunks.ts';
import { encodeForm } from './multipart.ts';
import type { FormFields } from './multipart.ts';
import { createTransport } from '../transport/transport.ts';

const create = { method: 'POST', path: '/things' } as const;

async function send(fields: FormFields): Promise<RecordedRequest> {
  const { baseURL, recorded } = await startRecordingServer((response) => json(response, {}));
  await createTransport({ baseURL, maxRetries: 0 }).request(create, { body: encodeForm(fields) });
  return recorded[0]!;
}

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (const text of texts) yield new TextEncoder().encode(text);
}

test('a form of texts and files arrives unchanged, with its length', async () => {
  const { fields, files, headers } = await send({
    purpose: 'batch',
    seconds: 4,
    none: undefined,
    nothing: null,
    expires_after: { anchor: 'created_at', seconds: 3600 },
    file: new File(['{"a":1}\n'], 'größe.jsonl', { type: 'application/jsonl' }),
    other: { data: new Blob([new Uint8Array([0, 13, 10, 45, 45, 255])]), filename: 'b.bin' },
    bare: new Blob(['x']),
  });
  expect(fields).toEqual({
    purpose: 'batch',
    seconds: '4',
    'expires_after[anchor]': 'created_at',
    'expires_after[seconds]': '3600',
  });
  expect(files['file']).toEqual({
    filename: 'größe.jsonl',
    type: 'application/jsonl',
    bytes: Buffer.from('{"a":1}\n'),
  });
  expect(files['other']).toEqual({
    filename: 'b.bin',
    type: 'application/octet-stream',
    bytes: Buffer.from([0, 13, 10, 45, 45, 255]),
  });
  expect(files['bare']?.filename).toBe('blob');
  expect(Number(headers['content-length'])).toBeGreaterThan(400);
});

test('a name cannot end its header', async () => {
  const { files, fields } = await send({
    'a"\r\nb': 'c',
    file: { data: new Blob(['x'], { type: 'text/plain' }), filename: 'a"; name="purpose"\r\nx-evil: 1' },
  });
  expect(files['file']?.filename).toBe('a%22; name=%22purpose%22%0D%0Ax-evil: 1');
  expect(fields).toEqual({ 'a%22%0D%0Ab': 'c' });
});

test('a form with a stream function is encoded again for each attempt', async () => {
  const { baseURL, recorded } = await startRecordingServer((response, _, count) =>
    json(response, { count }, count === 1 ? 503 : 200),
  );
  const transport = createTransport({ baseURL, backoff: () => 0 });
  const stream = (): ReadableStream<Uint8Array> => toStream(pieces('one ', 'two'));
  const body = encodeForm({ purpose: 'batch', file: { data: { stream, type: 'text/plain' }, filename: 'f' } });
  expect(await transport.request(create, { body })).toEqual({ count: 2 });
  expect(recorded.map(({ files }) => files['file']?.bytes.toString())).toEqual(['one two', 'one two']);
  expect(recorded[1]).toMatchObject({ fields: { purpose: 'batch' }, files: { file: { type: 'text/plain' } } });
});

test('a form with a stream is not retried', async () => {
  const { baseURL, recorded } = await startRecordingServer((response) => json(response, {}, 503));
  const transport = createTransport({ baseURL, backoff: () => 0 });
  const body = encodeForm({ file: { data: { stream: toStream(pieces('x')) }, filename: 'f' } });
  await expect(transport.request(create, { body })).rejects.toMatchObject({ name: 'ServerError' });
  expect(recorded).toHaveLength(1);
});

test('any bytes arrive unchanged', async () => {
  const { baseURL, recorded } = await startRecordingServer((response) => json(response, {}));
  const transport = createTransport({ baseURL, maxRetries: 0 });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.string({ unit: 'grapheme' }), async (bytes, text) => {
      const blob = new Blob([new Uint8Array(bytes)]);
      await transport.request(create, { body: encodeForm({ text, file: { data: blob, filename: 'f' } }) });
      const { files, fields } = recorded.at(-1)!;
      expect([...files['file']!.bytes]).toEqual([...bytes]);
      expect(fields['text']).toBe(text);
    }),
    { numRuns: 60 },
  );
});

test('the call rejects with what the source of a form throws, without a retry', async () => {
  const { baseURL } = await startRecordingServer((response) => json(response, {}));
  const transport = createTransport({ baseURL, backoff: () => 0 });
  let streamCalls = 0;
  const cause = new Error('disk gone');
  const stream = (): ReadableStream<Uint8Array> => {
    streamCalls++;
    return new ReadableStream({ pull: () => Promise.reject(cause) });
  };
  const call = transport.request(create, { body: encodeForm({ file: { data: { stream }, filename: 'f' } }) });
  await expect(call).rejects.toMatchObject({ name: 'ModelwireError', cause });
  expect(streamCalls).toBe(1);
});
