import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../testing/postgres-database.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';
import { describeStoredScenario } from '../testing/stored-scenario.ts';

let database: string;
let embedded: TestServer;
let shared: TestServer;

beforeAll(async () => {
  embedded = await startTestServer();
  database = await createDatabase();
  shared = await startTestServer({ database });
});
afterAll(async () => {
  await embedded.stop();
  await shared.stop();
});

describeStoredScenario('on SQLite', () => embedded);
describeStoredScenario('on PostgreSQL', () => shared);

test('a completion is not stored if the client disconnects before the last token, and is stored if it disconnects afterwards', async () => {
  const slow = await startTestServer({ simulator: { tokensPerSecond: 5 } });
  onTestFinished(() => slow.stop());
  const { completions } = slow.client.chat;
  const ask = {
    model: 'simulator',
    messages: [{ role: 'user' as const, content: 'Hello!' }],
    max_completion_tokens: 3,
    store: true,
  };
  // It would take 20 seconds.
  const long = [{ role: 'user' as const, content: `Repeat: ${'one '.repeat(100)}` }];
  const abandonedStream = await completions.create({
    ...ask,
    messages: long,
    max_completion_tokens: 100,
    stream: true,
  });
  for await (const chunk of abandonedStream) if (chunk.choices[0]?.delta.content) break;
  const whole = await completions.create(ask);
  expect((await completions.list()).data.map(({ id }) => id)).toEqual([whole.id]);

  const readStream = await completions.create({ ...ask, stream: true });
  let id = '';
  for await (const chunk of readStream) {
    id = chunk.id;
    if (chunk.choices[0]?.finish_reason) break;
  }
  await expect.poll(async () => (await completions.list()).data.map((one) => one.id)).toEqual([whole.id, id]);
});

test('four servers on one database lose and duplicate nothing', async () => {
  const replicas = await Promise.all(Array.from({ length: 4 }, () => startTestServer({ database })));
  onTestFinished(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
  });
  const [first] = replicas;
  if (!first) throw new Error('no replica');
  const key = await first.makeKey({ project: 'shared-by-four' });
  const clients = replicas.map(({ url }) => clientOf(url, key).chat.completions);
  const ask = { model: 'simulator', messages: [{ role: 'user' as const, content: 'Hello!' }], store: true };
  const once = { headers: { 'idempotency-key': 'one-of-four' } };
  const createdIds = await Promise.all(
    clients.flatMap((client) => Array.from({ length: 50 }, async () => (await client.create(ask)).id)),
  );
  const claimed = await Promise.allSettled(clients.map((client) => client.create(ask, once)));
  const [winner, ...others] = new Set(claimed.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : [])));
  expect(others).toEqual([]);
  for (const client of clients) {
    const seen: string[] = [];
    for await (const { id } of client.list({ limit: 100 })) seen.push(id);
    expect(seen.sort()).toEqual([...createdIds, winner].sort());
  }
});
