import type OpenAI from 'openai';
import type { Response, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createBatch, linesOf } from '../testing/batch-input.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

/** One replies immediately, the other slowly enough to be interrupted. */
const quick = 'quick';
const slow = { tokensPerSecond: 100 };
const reply = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ');
let fast: TestServer;
let slowly: TestServer;
beforeAll(async () => {
  fast = await startTestServer({});
  slowly = await startTestServer({ simulator: { models: [{ id: quick, reply }], ...slow } });
});
afterAll(() => Promise.all([fast.stop(), slowly.stop()]));

const isRunning = ({ status }: Response): boolean => status === 'queued' || status === 'in_progress';

function ended({ responses }: OpenAI, id: string): Promise<Response> {
  return vi.waitFor(
    async () => {
      const response = await responses.retrieve(id);
      if (isRunning(response)) throw new Error(`it is ${response.status}`);
      return response;
    },
    { timeout: 60_000, interval: 20 },
  );
}

/** The first events of a stream, after which the client disconnects. */
async function firstEvents(
  stream: AsyncIterable<ResponseStreamEvent>,
  count: number,
): Promise<readonly ResponseStreamEvent[]> {
  const events: ResponseStreamEvent[] = [];
  for await (const event of stream) {
    events.push(event);
    if (events.length === count) break;
  }
  return events;
}

/** Without the fields that differ in each read. */
const withoutPadding = (events: readonly ResponseStreamEvent[]) =>
  events.map((event) => ({ ...event, obfuscation: undefined }));

describe('a background response', () => {
  const model = 'simulator';

  test('is queued immediately, and completed when it is polled', async () => {
    const { client } = fast;
    const queued = await client.responses.create({ model, input: 'Hello', background: true });
    expect(queued).toMatchObject({ status: 'queued', background: true, output: [], usage: null, completed_at: null });
    const done = await ended(client, queued.id);
    expect(done).toMatchObject({ id: queued.id, created_at: queued.created_at, status: 'completed', background: true });
    expect(done.output_text).not.toBe('');
    expect(done.usage?.output_tokens).toBeGreaterThan(0);
    const next = await client.responses.create({ model, input: 'And?', previous_response_id: done.id });
    expect(next.usage?.input_tokens).toBeGreaterThan(done.usage?.input_tokens ?? Infinity);
  });

  test('adds its turn to the conversation when it ends', async () => {
    const { client } = fast;
    const { id: conversation } = await client.conversations.create();
    const { id } = await client.responses.create({ model, input: 'Hello', background: true, conversation });
    const { output } = await ended(client, id);
    const { data } = await client.conversations.items.list(conversation, { order: 'asc' });
    expect(data).toMatchObject([{ role: 'user' }, { id: output[0]?.id }]);
  });

  test('that was streamed is streamed again, completely and after an event', async () => {
    const { client } = fast;
    const created = await client.responses.create({ model, input: 'Hello', background: true, stream: true });
    const all = await Array.fromAsync(created);
    const [first] = all;
    if (first?.type !== 'response.created') throw new Error(`the first event is ${first?.type}`);
    expect(first.response.status).toBe('queued');
    expect(all.map((event) => event.sequence_number)).toEqual(all.map((_, index) => index));
    expect(all.at(-1)).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
    const { id } = first.response;
    const again = await client.responses.retrieve(id, { stream: true });
    expect(withoutPadding(await Array.fromAsync(again))).toEqual(withoutPadding(all));
    for (const starting_after of [0, 3, all.length - 1, 1_000_000]) {
      const rest = await client.responses.retrieve(id, { stream: true, starting_after, include_obfuscation: false });
      const events = await Array.fromAsync(rest);
      expect(events).toEqual(withoutPadding(all.slice(starting_after + 1)).map(({ obfuscation: _, ...rest }) => rest));
    }
    const stream = client.responses.stream({ response_id: id, starting_after: 2 });
    expect((await stream.finalResponse()).output_text).toBe((await client.responses.retrieve(id)).output_text);
  });

  test('is streamed live to clients that connect and disconnect', async () => {
    const { client } = slowly;
    const created = await client.responses.create({ model: quick, input: 'x', background: true, stream: true });
    const start = await firstEvents(created, 8);
    const [first] = start;
    if (first?.type !== 'response.created') throw new Error(`the first event is ${first?.type}`);
    const { id } = first.response;
    expect(isRunning(await client.responses.retrieve(id))).toBe(true);
    const starting_after = start.at(-1)?.sequence_number ?? 0;
    const [rest, all] = await Promise.all([
      client.responses.retrieve(id, { stream: true, starting_after }).then((stream) => Array.fromAsync(stream)),
      client.responses.retrieve(id, { stream: true }).then((stream) => Array.fromAsync(stream)),
    ]);
    expect(withoutPadding([...start, ...rest])).toEqual(withoutPadding(all));
    expect(all.at(-1)).toMatchObject({ type: 'response.completed' });
    expect((await client.responses.retrieve(id)).output_text).toBe(reply);
  }, 60_000);

  test('is cancelled once; its streams end', async () => {
    const { client } = slowly;
    const created = await client.responses.create({ model: quick, input: 'x', background: true, stream: true });
    const events: ResponseStreamEvent[] = [];
    let cancelled: Response | undefined;
    for await (const event of created) {
      events.push(event);
      if (event.type === 'response.output_text.delta' && !cancelled) {
        const [first] = events;
        if (first?.type !== 'response.created') throw new Error(`the first event is ${first?.type}`);
        cancelled = await client.responses.cancel(first.response.id);
        expect(cancelled).toMatchObject({ status: 'cancelled', completed_at: null, usage: null });
      }
    }
    expect(events.at(-1)).toMatchObject({ type: 'response.incomplete', response: { status: 'cancelled' } });
    const id = cancelled?.id ?? '';
    expect(await client.responses.cancel(id)).toEqual(cancelled);
    expect(await client.responses.retrieve(id)).toMatchObject({ ...cancelled });
    const again = await client.responses.retrieve(id, { stream: true });
    expect(withoutPadding(await Array.fromAsync(again))).toEqual(withoutPadding(events));
  });

  test('that has ended is returned unchanged by cancel', async () => {
    const { client } = fast;
    const { id } = await client.responses.create({ model, input: 'Hello', background: true });
    const done = await ended(client, id);
    expect(done).toMatchObject({ ...(await client.responses.cancel(id)) });
  });

  test('that is deleted stops', async () => {
    const { client } = slowly;
    const { id } = await client.responses.create({ model: quick, input: 'x', background: true });
    await client.responses.delete(id);
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  test('that runs cannot be continued', async () => {
    const { client } = slowly;
    const { id } = await client.responses.create({ model: quick, input: 'x', background: true });
    await expect(client.responses.create({ model: quick, input: 'y', previous_response_id: id })).rejects.toMatchObject(
      { status: 400, code: 'invalid_state' },
    );
    await client.responses.cancel(id);
  });

  test('is resumed by another server after a restart', async () => {
    const before = await startTestServer({ simulator: { models: [{ id: quick, reply }], tokensPerSecond: 100 } });
    const { id } = await before.client.responses.create({ model: quick, input: 'x', background: true });
    const after = await before.restart();
    const done = await ended(after.client, id);
    expect(done.output_text).toBe(reply);
    await after.stop();
  }, 60_000);

  test('is created once for one idempotency key', async () => {
    const { client } = fast;
    const options = { headers: { 'idempotency-key': 'background-1' } };
    const body = { model, input: 'Hello', background: true } as const;
    const [first, again] = [await client.responses.create(body, options), await client.responses.create(body, options)];
    expect(again).toEqual(first);
  });
});

describe('a request about background responses is refused', () => {
  test('with `store: false`', async () => {
    await expect(
      fast.client.responses.create({ model: 'simulator', input: 'x', background: true, store: false }),
    ).rejects.toMatchObject({ status: 400, param: 'background' });
  });

  test('when a response without stored events is streamed, and when a foreground response is cancelled', async () => {
    const { client } = fast;
    const foreground = await client.responses.create({ model: 'simulator', input: 'x' });
    const background = await client.responses.create({ model: 'simulator', input: 'x', background: true });
    for (const { id } of [foreground, background]) {
      await expect(client.responses.retrieve(id, { stream: true })).rejects.toMatchObject({
        status: 400,
        code: 'invalid_state',
      });
    }
    await expect(client.responses.cancel(foreground.id)).rejects.toMatchObject({ status: 400, code: 'invalid_state' });
  });

  test('immediately if the request itself is invalid', async () => {
    const { client } = fast;
    await expect(client.responses.create({ model: 'none', input: 'x', background: true })).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    await expect(
      client.responses.create({ model: 'simulator', input: 'x', background: true, previous_response_id: 'resp_none' }),
    ).rejects.toMatchObject({ status: 400, code: 'previous_response_not_found' });
  });

  test('with 404 for another project', async () => {
    const other = clientOf(fast.url, await fast.makeKey({ project: 'another' }));
    const created = await fast.client.responses.create({
      model: 'simulator',
      input: 'x',
      background: true,
      stream: true,
    });
    const [first] = await Array.fromAsync(created);
    if (first?.type !== 'response.created') throw new Error(`the first event is ${first?.type}`);
    const { id } = first.response;
    await expect(other.responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 404 });
    await expect(other.responses.cancel(id)).rejects.toMatchObject({ status: 404 });
  });
});

test('a line of a batch with background waits for the response, whose result is the line', async () => {
  const { client } = fast;
  const body = { model: 'simulator', input: 'Hello', background: true };
  const at = '/v1/responses' as const;
  const line = (custom_id: string, fields: object) => ({
    custom_id,
    method: 'POST',
    url: at,
    body: { ...body, ...fields },
  });
  const { id } = await createBatch(client, [line('a', {}), line('not stored', { store: false })], at);
  await expect.poll(async () => (await client.batches.retrieve(id)).status, { timeout: 60_000 }).toBe('completed');
  const { output_file_id, error_file_id } = await client.batches.retrieve(id);
  const [done] = await linesOf(client, output_file_id);
  const response = done?.response?.body as unknown as Response;
  expect(response).toMatchObject({ status: 'completed', background: true });
  expect(response.usage?.output_tokens).toBeGreaterThan(0);
  expect(await client.responses.retrieve(response.id)).toMatchObject({ status: 'completed', output: response.output });
  expect(await linesOf(client, error_file_id)).toMatchObject([
    { custom_id: 'not stored', response: { status_code: 400, body: { error: { param: 'background' } } } },
  ]);
});
