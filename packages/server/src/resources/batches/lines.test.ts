import { expect, test, vi } from 'vitest';
import { RequestError } from '../../errors.ts';
import type { RequestLogEntry } from '../../request-log.ts';
import { listen } from '../../testing/listen.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { contentOf, says, scriptedEngine } from '../../testing/scripted-engine.ts';
import { asked, endpoint, lines, patient, serve } from '../../testing/serve-batches.ts';

test.each([
  ['429', { status: 429, headers: { 'retry-after-ms': '30' } }],
  ['503', { status: 503, headers: { 'retry-after': '0' } }],
])('a line that gets a %s is retried until it succeeds', async (_, init) => {
  const times: number[] = [];
  const { work, create, until } = await serve({
    script: () => {
      times.push(Date.now());
      if (times.length <= 5) throw new RequestError('busy', init);
      return says('Hi');
    },
  });
  const { id } = await create(work.input(lines(1)));
  expect((await until(id, 'completed')).request_counts).toEqual({ total: 1, completed: 1, failed: 0 });
  expect(times).toHaveLength(6);
  const first = (times[1] ?? 0) - (times[0] ?? 0);
  if (init.status === 429) expect(first).toBeGreaterThanOrEqual(29);
});

test('batches that wait for retries do not block others', async () => {
  const { work, create, until } = await serve({
    batchRetryDelayMs: 60_000,
    script: (request) => {
      if (asked(request) < 5) throw new RequestError('busy', { status: 503 });
      return says('Hi');
    },
  });
  for (let n = 0; n < 10; n++) await create(work.input(lines(5)));
  const { id } = await create(work.input(lines(20).slice(5)));
  expect((await until(id, 'completed')).request_counts?.completed).toBe(15);
});

test('a server error is tried three times, a refusal once', async () => {
  const { work, create, until, engine } = await serve({
    script: (request) => {
      if (asked(request) === 0) throw new Error('broken');
      throw new RequestError('no money', { status: 429, code: 'insufficient_quota' });
    },
  });
  const { id } = await create(work.input(lines(2)));
  const { error_file_id } = await until(id, 'completed');
  expect(work.linesOf(error_file_id)).toMatchObject([
    { response: { status_code: 500, body: { error: { type: 'server_error' } } } },
    { response: { status_code: 429, body: { error: { code: 'insufficient_quota' } } } },
  ]);
  expect(engine.asked.map(({ request }) => asked(request)).toSorted()).toEqual([0, 0, 0, 1]);
});

test('lines wait for live requests, and do not count against the limits of their keys', async () => {
  const gates: (() => void)[] = [];
  const order: string[] = [];
  const charged: unknown[] = [];
  const scripted = scriptedEngine(
    async function* (request) {
      order.push(contentOf(request));
      await new Promise<void>((resolve) => gates.push(resolve));
      yield* says('Hi');
    },
    { concurrency: 1 },
  );
  // Each request calls `models()` and is queued in the same event-loop turn.
  let queued = 0;
  const models = () => {
    queued++;
    return scripted.models();
  };
  const engine = { ...scripted, models };
  const work = memoryWork();
  const { client } = await listen({
    engines: [engine],
    stores: work.stores,
    blobs: work.blobs,
    rateLimiter: {
      consume: () => ({ retryAfterMs: 0, requests: undefined, tokens: undefined, refusedBy: undefined }),
      limitsTokens: () => false,
      reserve: () => ({ retryAfterMs: 0, reserved: 0 }),
      charge: (subjects) => void charged.push(...subjects),
    },
  });
  await client.batches.create({ input_file_id: work.input(lines(3)), endpoint, completion_window: '24h' });
  await vi.waitFor(() => expect([order, queued]).toEqual([['0'], 3]), patient);
  const live = client.chat.completions.create({ model: 'scripted', messages: [{ role: 'user', content: 'live' }] });
  await vi.waitFor(() => expect(queued).toBe(4), patient);
  gates[0]?.();
  await vi.waitFor(() => expect(order).toEqual(['0', 'live']), patient);
  gates[1]?.();
  await live;
  await vi.waitFor(() => expect(order).toEqual(['0', 'live', '1']), patient);
  expect(charged).toHaveLength(1);
});

test('with a slow store, the unstored lines are at most twice the concurrency', async () => {
  const work = memoryWork();
  const projectStores = work.stores.project('p');
  let keep = (): void => undefined;
  const gate = new Promise<void>((resolve) => (keep = resolve));
  const { addResults } = projectStores.batches;
  const batches = {
    ...projectStores.batches,
    async addResults(...given: Parameters<typeof addResults>) {
      await gate;
      return addResults(...given);
    },
  };
  const stores = { ...work.stores, project: () => ({ ...projectStores, batches }) };
  const { create, until, engine } = await serve({ work: { ...work, stores }, batchConcurrency: 4 });
  const { id } = await create(work.input(lines(50)));
  await vi.waitFor(() => expect(engine.asked).toHaveLength(8), patient);
  // Only the store delays the next lines.
  await new Promise((resolve) => setImmediate(resolve));
  expect(engine.asked).toHaveLength(8);
  keep();
  expect((await until(id, 'completed')).request_counts?.completed).toBe(50);
  expect(engine.asked).toHaveLength(50);
});

test('attempts of a line that are repeated are logged as such, and only the last is its result', async () => {
  const log: RequestLogEntry[] = [];
  let attempts = 0;
  const { work, create, until } = await serve({
    log: (entry) => entry.batch !== undefined && log.push(entry),
    script: () => {
      if (++attempts < 3) throw new RequestError('busy', { status: 503 });
      return says('Hi');
    },
  });
  const { id } = await create(work.input(lines(1)));
  await until(id, 'completed');
  expect(log.map(({ status, retryInMs }) => [status, retryInMs === undefined])).toEqual([
    [503, false],
    [503, false],
    [200, true],
  ]);
});

test('a line waits for a model that is unknown because an upstream cannot be asked, and then fails', async () => {
  const isFinal = async (batchUnknownModelSeconds: number): Promise<boolean> => {
    const log: RequestLogEntry[] = [];
    const engine = {
      ...scriptedEngine(() => says('Hi'), { id: 'known' }),
      unaskedUpstreams: () => [{ name: 'box', cause: 'ECONNREFUSED' }],
    };
    const { work, create } = await serve({
      engines: [engine],
      batchUnknownModelSeconds,
      log: (entry) => entry.batch !== undefined && log.push(entry),
    });
    await create(work.input(lines(1)));
    await vi.waitFor(() => expect(log).not.toHaveLength(0), patient);
    expect(log[0]).toMatchObject({ status: 404, error: 'model_not_found' });
    return log[0]?.retryInMs === undefined;
  };
  expect(await isFinal(3600)).toBe(false);
  expect(await isFinal(0)).toBe(true);
});

test('an engine gets lines with the same system message one after the other, and each line gets its own reply', async () => {
  const systems: unknown[] = [];
  const { work, create, until } = await serve({
    batchConcurrency: 4,
    script(request) {
      const [system, user] = request.messages;
      systems.push(system?.content);
      return says(typeof user?.content === 'string' ? user.content : '');
    },
  });
  // Longer together than what is read at once, with what files of other systems have.
  const padding = 'x'.repeat(2000);
  const input = lines(600).map((line, n) => {
    const messages = [
      { role: 'system', content: `system ${n % 12}` },
      { role: 'user', content: `${n} ${padding}` },
    ];
    return JSON.stringify({ ...line, body: { ...line.body, messages } });
  });
  const { id } = await create(work.input(`\uFEFF${input.join('\r\n\r\n')}`));
  const { output_file_id, request_counts } = await until(id, 'completed');
  expect(request_counts?.completed).toBe(600);
  expect(systems.filter((system, index) => index > 0 && system !== systems[index - 1]).length).toBeLessThan(40);
  const replies = work.linesOf(output_file_id) as {
    readonly custom_id: string;
    readonly response: { readonly body: { readonly choices: readonly { readonly message: { content: string } }[] } };
  }[];
  for (const { custom_id, response } of replies)
    expect(`line ${response.body.choices[0]?.message.content}`).toBe(`${custom_id} ${padding}`);
});
