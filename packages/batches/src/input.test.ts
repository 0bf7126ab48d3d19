import { collect } from '@modelwire/core/testing';
import { BATCH_INPUT_MAX_BYTES, BATCH_MAX_LINES } from '@modelwire/schema';
import { batchInputLineSchema } from '@modelwire/schema/internal';
import { describe, expect, test } from 'vitest';
import { batchInput, readJsonLines } from './index.ts';
import type { BatchRequest } from './index.ts';
import { MAX_BYTES, MAX_LINES } from './input.ts';

const endpoint = '/v1/chat/completions';
type Chat = BatchRequest<typeof endpoint>;
const request = (custom_id: string, content = 'Hi'): Chat => ({
  custom_id,
  body: { model: 'simulator', messages: [{ role: 'user', content }] },
});

function* many(count: number, content?: string): Generator<Chat> {
  for (let index = 0; index < count; index++) yield request(`id-${index}`, content);
}

test('the limits are those of the API', () => {
  expect([MAX_LINES, MAX_BYTES]).toEqual([BATCH_MAX_LINES, BATCH_INPUT_MAX_BYTES]);
});

describe('batchInput()', () => {
  test('encodes a line for each request, as the server reads them', async () => {
    const lines = await collect(readJsonLines(batchInput(endpoint, [request('a', 'é\n"'), request('b')])));
    expect(lines).toEqual([
      { custom_id: 'a', method: 'POST', url: endpoint, body: request('a', 'é\n"').body },
      { custom_id: 'b', method: 'POST', url: endpoint, body: request('b').body },
    ]);
    for (const line of lines) expect(batchInputLineSchema.safeParse(line).success).toBe(true);
  });

  test('reads requests on demand', async () => {
    let readRequests = 0;
    function* counted(): Generator<Chat> {
      for (const each of many(10_000)) {
        readRequests++;
        yield each;
      }
    }
    const reader = batchInput(endpoint, counted()).getReader();
    expect(readRequests).toBe(0);
    await reader.read();
    expect(readRequests).toBeLessThan(1000);
    await reader.cancel();
  });

  test.each([
    ['no request', [], 'requests'],
    ['a duplicate id', [request('a'), request('b'), request('a')], 'requests[2].custom_id'],
    ['no id', [request('')], 'requests[0].custom_id'],
    [
      'a streamed request',
      [{ custom_id: 'a', body: { ...request('a').body, stream: true } }],
      'requests[0].body.stream',
    ],
    ['one request too many', many(MAX_LINES + 1), 'requests'],
    ['one byte too many', many(201, 'x'.repeat(1024 ** 2)), 'requests'],
  ])('rejects %s', async (_, requests, param) => {
    const read = batchInput(endpoint, requests as Iterable<Chat>).pipeTo(new WritableStream());
    await expect(read).rejects.toMatchObject({ name: 'InputError', param });
  });
});
