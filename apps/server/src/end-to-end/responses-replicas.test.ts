import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkEvents, model, reply, slowSimulator } from '../testing/background-responses.ts';
import { createDatabase } from '../testing/postgres-database.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

/** Two servers on one database. The first, which creates responses, runs no jobs. */
async function startReplicas(tokensPerSecond: number): Promise<readonly [TestServer, TestServer]> {
  const config = { simulator: { ...slowSimulator, tokensPerSecond }, database: await createDatabase() };
  const replicas = [await startTestServer({ ...config, worker: false }), await startTestServer(config)] as const;
  for (const replica of replicas) onTestFinished(() => replica.stop());
  return replicas;
}

test('a background response of one replica is streamed and retrieved at another', async () => {
  const [creating, working] = await startReplicas(100);
  const events: ResponseStreamEvent[] = [];
  const stream = await creating.client.responses.create({ model, input: 'Go', background: true, stream: true });
  for await (const event of stream) events.push(event);
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
  const [first] = events;
  if (first?.type !== 'response.created') throw new Error('the first event is not response.created');
  const response = await working.client.responses.retrieve(first.response.id);
  expect(response.output_text).toBe(reply);
  await checkEvents(working.url, response);
  await checkEvents(creating.url, response);
});

test('a background response that runs at one replica is cancelled at another', async () => {
  const [{ client }, working] = await startReplicas(5);
  const { id } = await client.responses.create({ model, input: 'Go', background: true });
  await vi.waitFor(async () => expect((await client.responses.retrieve(id)).status).toBe('in_progress'), {
    timeout: 200_000,
    interval: 50,
  });
  expect(await client.responses.cancel(id)).toMatchObject({ status: 'cancelled' });
  expect((await working.client.responses.retrieve(id)).status).toBe('cancelled');
  // The worker that generated it claims another job: it has abandoned the first one.
  const next = await client.responses.create({ model, input: 'Go', background: true, stream: true });
  for await (const event of next) if (event.type === 'response.output_text.delta') break;
  expect((await client.responses.retrieve(id)).status).toBe('cancelled');
});
