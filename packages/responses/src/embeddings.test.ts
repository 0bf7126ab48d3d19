import { json, startRecordingServer } from '@modelwire/core/testing';
import { expect, test } from 'vitest';
import { createEmbeddings } from './index.ts';

const params = { model: 'embedding', input: 'Hello', encoding_format: 'base64' } as const;

async function createFrom(embedding: string | number[]): Promise<number[] | undefined> {
  const data = [{ object: 'embedding', index: 0, embedding }];
  const { baseURL } = await startRecordingServer((response) =>
    json(response, { object: 'list', model: 'embedding', data }),
  );
  const { data: decoded } = await createEmbeddings({ baseURL, maxRetries: 0 }).create(params);
  return decoded[0]?.embedding;
}

test('base64 of little-endian 32-bit floats is decoded', async () => {
  expect(await createFrom('AACAPwAAAMAAAAAA')).toEqual([1, -2, 0]);
});

test('numbers of a server that ignores encoding_format are unchanged', async () => {
  expect(await createFrom([1, -2, 0])).toEqual([1, -2, 0]);
});

test.each(['!', 'AACAPwA='])('rejects with a DecodeError for %j', async (text) => {
  await expect(createFrom(text)).rejects.toMatchObject({
    name: 'DecodeError',
    message: expect.stringContaining('embedding 0') as string,
  });
});
