import { expect, test } from 'vitest';
import type { ChatCompletionContentPart } from '@modelwire/schema/types';
import type { ServerOptions } from '../options/options.ts';
import { silentMp3, silentWav, imageHeads } from '@modelwire/ports/testing';
import { key, listen } from '../testing/listen.ts';
import { memoryWork } from '../testing/memory-work.ts';
import { says, scriptedEngine } from '../testing/scripted-engine.ts';
import type { CapabilitiesInit } from '@modelwire/ports';

async function startServer(can: CapabilitiesInit, options: Partial<ServerOptions> = {}) {
  const engine = scriptedEngine(() => says('Yes.'), { can });
  const { post, client } = await listen({ engines: [engine], ...options });
  return {
    requests: engine.asked,
    client,
    async send(...parts: ChatCompletionContentPart[]) {
      const response = await post({ model: 'scripted', messages: [{ role: 'user', content: parts }] });
      return { status: response.status, body: (await response.json()) as { error?: { param: string; code: string } } };
    },
    /** The parts that the engine received. */
    received: () => engine.asked.at(-1)?.request.messages[0]?.content,
  };
}

const base64 = (content: Uint8Array | string) => Buffer.from(content).toString('base64');
const pdf = Buffer.from('%PDF-1.7\n');
const audio = (bytes: Uint8Array, format: 'wav' | 'mp3') =>
  ({ type: 'input_audio', input_audio: { data: base64(bytes), format } }) as const;
const file = (content: { file_id?: string; file_data?: string; filename?: string }) =>
  ({ type: 'file', file: content }) as const;

test('valid audio reaches an engine with audio input', async () => {
  const { send, received } = await startServer({ inputs: ['text', 'audio'] });
  for (const part of [audio(silentWav(1), 'wav'), audio(silentMp3(4), 'mp3')]) {
    expect((await send(part)).status).toBe(200);
    expect(received()).toEqual([part]);
  }
});

test.each([
  ['is not audio', audio(Buffer.from('no sound'), 'wav'), 'data', 'invalid_audio'],
  ['has no samples', audio(silentWav(0), 'wav'), 'data', 'invalid_audio'],
  ['has another format than declared', audio(silentMp3(4), 'wav'), 'format', 'invalid_value'],
])('audio that %s returns 400 and names the field', async (_problem, part, name, code) => {
  const { send, requests } = await startServer({ inputs: ['text', 'audio'] });
  const param = `messages[0].content[1].input_audio.${name}`;
  expect(await send({ type: 'text', text: 'Hear' }, part)).toMatchObject({
    status: 400,
    body: { error: { param, code } },
  });
  expect(requests).toHaveLength(0);
});

test('audio for an engine without audio input returns 400 and names the part', async () => {
  const { send } = await startServer({});
  expect(await send(audio(silentWav(1), 'wav'))).toMatchObject({
    status: 400,
    body: { error: { param: 'messages[0].content[0].type', code: 'unsupported_value' } },
  });
});

test('the text of a file is inserted into the prompt of an engine without file input', async () => {
  const { send, received, requests } = await startServer({});
  const part = file({ file_data: `data:text/csv;base64,${base64('a,b\n1,2\n')}`, filename: 'x "y".csv' });
  expect((await send({ type: 'text', text: 'Sum?' }, part)).status).toBe(200);
  const text = '[File "x \\"y\\".csv"]\na,b\n1,2\n[End of file "x \\"y\\".csv"]\n';
  expect(received()).toEqual([
    { type: 'text', text: 'Sum?' },
    { type: 'text', text },
  ]);
  expect(requests[0]?.context.requestBody.messages).toEqual(requests[0]?.request.messages);
  await send(file({ file_data: base64('bare') }));
  expect(received()).toEqual([{ type: 'text', text: '[File]\nbare\n[End of file]\n' }]);
});

test.each([
  ['a PDF', pdf],
  ['not UTF-8', Buffer.from([0xff, 0xfe, 0x41])],
  ['has control characters', Buffer.from('a\0b')],
])('a file that is %s returns 400 for an engine without file input', async (_problem, bytes) => {
  const { send } = await startServer({});
  expect(await send(file({ file_data: base64(bytes) }))).toMatchObject({
    status: 400,
    body: { error: { param: 'messages[0].content[0].file', code: 'unsupported_value' } },
  });
});

test('an engine with file input receives inline files unchanged, and files by ID with their data', async () => {
  const { stores, blobs } = memoryWork();
  const { send, received, client } = await startServer({ inputs: ['text', 'file'] }, { stores, blobs });
  const inline = file({ file_data: base64(pdf), filename: 'a.pdf' });
  await send(inline);
  expect(received()).toEqual([inline]);
  const { id } = await client.files.create({
    file: new File([pdf], 'b.pdf', { type: 'application/pdf' }),
    purpose: 'user_data',
  });
  await send(file({ file_id: id }));
  expect(received()).toEqual([file({ file_data: `data:application/pdf;base64,${base64(pdf)}`, filename: 'b.pdf' })]);
});

test('the text of a file by ID is inserted into the prompt', async () => {
  const { stores, blobs } = memoryWork();
  const { send, received, client } = await startServer({}, { stores, blobs });
  const stored = await client.files.create({ file: new File(['Rivers'], 'r.txt'), purpose: 'user_data' });
  expect((await send(file({ file_id: stored.id }))).status).toBe(200);
  expect(received()).toEqual([{ type: 'text', text: '[File "r.txt"]\nRivers\n[End of file "r.txt"]\n' }]);
});

test('the ID of an unknown file returns 404 and names it', async () => {
  const { stores, blobs, files } = memoryWork();
  const { send, client } = await startServer({}, { stores, blobs });
  const param = 'messages[0].content[0].file.file_id';
  expect(await send(file({ file_id: 'file-none' }))).toMatchObject({
    status: 404,
    body: { error: { param, code: 'not_found' } },
  });
  const { id } = await client.files.create({ file: new File(['x'], 'x.txt'), purpose: 'user_data' });
  files.update(id, { expires_at: 1 });
  expect(await send(file({ file_id: id }))).toMatchObject({ status: 404 });
  files.update(id, { expires_at: 9e9, bytes: 33 * 1024 ** 2 });
  expect(await send(file({ file_id: id }))).toMatchObject({ status: 400, body: { error: { code: 'file_too_large' } } });
});

test('refuses file IDs on a server without file storage', async () => {
  const { send } = await startServer({});
  expect(await send(file({ file_id: 'file-1' }))).toMatchObject({
    status: 400,
    body: { error: { param: 'messages[0].content[0].file.file_id', code: 'unsupported_parameter' } },
  });
});

const web = { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } } as const;
const png = imageHeads['image/png'](3, 2);

test('fetches images from the web for an engine that does not', async () => {
  const { send, received } = await startServer(
    { inputs: ['text', 'image'], image_sources: ['data'] },
    { fetchImage: () => Promise.resolve(png) },
  );
  expect((await send(web)).status).toBe(200);
  const url = `data:image/png;base64,${base64(png)}`;
  expect(received()).toEqual([{ type: 'image_url', image_url: { url, detail: 'low' } }]);
});

test('passes only valid images to an engine that does not fetch', async () => {
  const { send } = await startServer({ inputs: ['text', 'image'], image_sources: ['data'] });
  const imageOf = (bytes: Uint8Array) =>
    ({ type: 'image_url', image_url: { url: `data:image/png;base64,${base64(bytes)}` } }) as const;
  expect((await send(imageOf(png))).status).toBe(200);
  const param = 'messages[0].content[0].image_url.url';
  expect(await send(imageOf(pdf))).toMatchObject({ status: 400, body: { error: { param, code: 'invalid_image' } } });
});

test('returns 400 without fetchImage; an engine that fetches images receives the URL', async () => {
  const withoutFetch = await startServer({ inputs: ['text', 'image'], image_sources: ['data'] });
  const param = 'messages[0].content[0].image_url.url';
  expect(await withoutFetch.send(web)).toMatchObject({ status: 400, body: { error: { param } } });
  const can: CapabilitiesInit = { inputs: ['text', 'image'], image_sources: ['data', 'web'] };
  const { send, received } = await startServer(can, {
    fetchImage: () => Promise.reject(new Error('must not be called')),
  });
  await send(web);
  expect(received()).toEqual([web]);
  const fetchDisabled = await startServer(can);
  expect(await fetchDisabled.send(web)).toMatchObject({ status: 400, body: { error: { param } } });
  expect(fetchDisabled.requests).toHaveLength(0);
});

test('an engine that does not declare web receives no URL', async () => {
  const { send, received } = await startServer(
    { inputs: ['text', 'image'] },
    { fetchImage: () => Promise.resolve(png) },
  );
  await send(web);
  expect(JSON.stringify(received())).not.toContain('example.com');
});

test('fetched images reserve memory as they arrive, and return 503 when it is exhausted', async () => {
  const options: Partial<ServerOptions> = {
    maxBufferedBytes: 10_000,
    fetchImage(_url, { reserve }) {
      for (let chunk = 0; chunk < 20; chunk++) reserve?.(1000);
      return Promise.reject(new Error('more memory was reserved than the limit'));
    },
  };
  const { send } = await startServer({ inputs: ['text', 'image'] }, options);
  expect(await send(web)).toMatchObject({ status: 503, body: { error: { code: 'overloaded' } } });
  // The reserved memory was released.
  for (let attempt = 0; attempt < 3; attempt++)
    expect((await send({ type: 'text', text: 'x'.repeat(6000) })).status).toBe(200);
});

test('fetches at most 32 images at once for all requests', async () => {
  let [active, maxActive] = [0, 0];
  const release = Promise.withResolvers<undefined>();
  const fetchImage = async (): Promise<Uint8Array> => {
    maxActive = Math.max(maxActive, ++active);
    await release.promise;
    active--;
    return png;
  };
  const { send } = await startServer({ inputs: ['text', 'image'] }, { fetchImage });
  const responses = Array.from({ length: 40 }, () => send(web));
  await expect.poll(() => active).toBe(32);
  release.resolve(undefined);
  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(responses.map(() => 200));
  expect(maxActive).toBe(32);
});

test('unread streams do not use the memory of request bodies', async () => {
  const engine = scriptedEngine(() => says(...Array.from({ length: 10 }, () => 'x'.repeat(20_000))));
  const { server } = await listen({ engines: [engine], maxBufferedBytes: 70_000 });
  const send = (content: string, stream: boolean) =>
    server.fetch(
      new Request('http://a/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'scripted', stream, messages: [{ role: 'user', content }] }),
      }),
    );
  const unread = await send('Hi', true);
  await new Promise(setImmediate);
  expect((await send('x'.repeat(20_000), false)).status).toBe(200);
  await unread.body?.cancel();
});

test('bytes that are loaded for a request stay reserved until it ends', async () => {
  const { stores, blobs } = memoryWork();
  const { send, client } = await startServer({}, { stores, blobs, maxBufferedBytes: 3000 });
  const { id } = await client.files.create({ file: new File(['x'.repeat(2900)], 'x.txt'), purpose: 'user_data' });
  const reference = { file_id: id };
  expect((await send(file(reference), file(reference))).status).toBe(503);
  for (let attempt = 0; attempt < 3; attempt++) expect((await send({ type: 'text', text: 'Hi' })).status).toBe(200);
});

test.each<[sent: ChatCompletionContentPart, received: ChatCompletionContentPart]>([
  [
    {
      type: 'image_url',
      image_url: { url: `data:image/png;name="a,b.png"; BASE64,\n${base64(imageHeads['image/png'](8, 8))}` },
    },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${base64(imageHeads['image/png'](8, 8))}` } },
  ],
  [
    {
      type: 'input_audio',
      input_audio: { data: `data:audio/wav;rate=16000;channels=1;base64,${base64(silentWav(1))}`, format: 'wav' },
    },
    audio(silentWav(1), 'wav'),
  ],
  [file({ file_data: 'data:text/plain,a%20b' }), file({ file_data: `data:text/plain;base64,${base64('a b')}` })],
])('an engine receives inline data in the plain form: %j', async (sent, expected) => {
  const { send, received } = await startServer({ inputs: ['text', 'image', 'audio', 'file'] });
  expect((await send(sent)).status).toBe(200);
  expect(received()).toEqual([expected]);
});
