import { toFile } from 'openai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { endpoint } from '../testing/batch-input.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const seed = '9223372036854775807';
const neighbour = '9223372036854775806';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const bodyWith = (digits: string, more = '') =>
  `{"model":"simulator","temperature":1.5,"messages":[{"role":"user","content":"Tell me about rivers."}],"seed":${digits}${more}}`;

/** As text: a client's JSON.parse would round the seed. */
async function fetchText(path: string, body?: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(`${server.url}/v1${path}`, {
    headers,
    ...(body !== undefined && { method: 'POST', body }),
  });
  const text = await response.text();
  expect([response.status, text]).toEqual([200, expect.any(String)]);
  return text;
}

const contentOf = (completion: string) =>
  (JSON.parse(completion) as { choices: [{ message: { content: string } }] }).choices[0].message.content;

test('the simulator returns the same reply for the same 64-bit seed and another one for the next seed', async () => {
  const reply = async (digits: string) => contentOf(await fetchText('/chat/completions', bodyWith(digits)));
  const first = await reply(seed);
  expect(await reply(seed)).toBe(first);
  expect(await reply(neighbour)).not.toBe(first);
});

test('a stored completion returns every digit of a 64-bit seed, also if a batch created it', async () => {
  const stored = ',"store":true,"metadata":{"case":"seed"}';
  await fetchText('/chat/completions', bodyWith(seed, stored));
  const line = `{"custom_id":"a","method":"POST","url":"${endpoint}","body":${bodyWith(neighbour, stored)}}\n`;
  const { client } = server;
  const { id: input_file_id } = await client.files.create({
    file: await toFile(Buffer.from(line), 'in.jsonl'),
    purpose: 'batch',
  });
  const { id: batch } = await client.batches.create({ input_file_id, endpoint, completion_window: '24h' });
  await vi.waitFor(async () => expect((await client.batches.retrieve(batch)).status).toBe('completed'), {
    timeout: 60_000,
    interval: 20,
  });

  const list = await fetchText('/chat/completions?metadata[case]=seed');
  expect(list.match(/"seed":\d+/g)).toEqual([`"seed":${seed}`, `"seed":${neighbour}`]);
  const { data } = JSON.parse(list) as { data: { id: string }[] };
  const path = `/chat/completions/${data[0]?.id}`;
  expect(await fetchText(path)).toMatch(new RegExp(`"seed":${seed}\\b`));
  expect(await fetchText(path, '{"metadata":{"case":"other"}}')).toMatch(new RegExp(`"seed":${seed}\\b`));
});

test('an idempotency key replays a request with a 64-bit seed and refuses another seed', async () => {
  const send = (digits: string) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'seed-1' },
      body: bodyWith(digits),
    });
  const first = await (await send(seed)).text();
  expect(await (await send(seed)).text()).toBe(first);
  expect((await send(neighbour)).status).toBeGreaterThanOrEqual(400);
});
