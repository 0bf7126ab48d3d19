import { BatchFailedError, BadRequestError, InputError, NotFoundError } from '@modelwire/batches';
import type { Batch, BatchRequest, BatchResult } from '@modelwire/batches';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { breakingProxy } from '../testing/breaking-proxy.ts';
import { createClients } from '../testing/clients.ts';
import type { Clients } from '../testing/clients.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

type Ask = BatchRequest<'/v1/chat/completions'>;
const chat = '/v1/chat/completions';
const pollMs = 20;

let server: TestServer;
let clients: Clients;
beforeAll(async () => {
  server = await startTestServer({ videos: false });
  clients = createClients(server.url);
});
afterAll(() => server.stop());

const ask = (custom_id: string, more: Partial<Ask['body']> = {}): Ask => ({
  custom_id,
  body: {
    model: 'simulator',
    temperature: 0,
    messages: [{ role: 'user', content: `Repeat: ${custom_id}` }],
    ...more,
  },
});
const asks = (count: number): Ask[] => Array.from({ length: count }, (_, n) => ask(`line-${n}`));

/** The replies to each prompt. */
const repliesOf = (results: readonly BatchResult<typeof chat>[]) =>
  results.map((each) => [each.custom_id, each.ok ? each.body.choices[0]?.message.content : each.error.code]);

describe('run', () => {
  test('sends typed chat requests and returns a typed result for each', async () => {
    const updates: Batch[] = [];
    const results = await Array.fromAsync(
      clients.batches.run({
        endpoint: chat,
        requests: [...asks(30), ask('hot', { temperature: 3 })],
        metadata: { of: 'tests' },
        filename: 'asked.jsonl',
        pollMs,
        onUpdate: (batch) => updates.push(batch),
      }),
    );
    expect(results.map(({ custom_id }) => custom_id)).toEqual([...asks(30).map((each) => each.custom_id), 'hot']);
    for (const result of results.slice(0, 30)) {
      if (!result.ok) throw new Error(result.error.message);
      expect(result.body.choices[0]?.message.content).toContain(result.custom_id);
      expect([result.status, result.line.custom_id]).toEqual([200, result.custom_id]);
    }
    expect(results[30]).toMatchObject({
      ok: false,
      status: 400,
      error: { type: 'invalid_request_error', param: 'temperature', code: 'decimal_above_max_value' },
    });
    expect(updates[0]).toMatchObject({ status: 'validating', metadata: { of: 'tests' }, endpoint: chat });
    expect(updates.at(-1)).toMatchObject({
      status: 'completed',
      request_counts: { total: 31, completed: 30, failed: 1 },
    });
    const input = await clients.files.retrieve(updates[0]?.input_file_id ?? '');
    expect(input).toMatchObject({ filename: 'asked.jsonl', purpose: 'batch' });
  });

  test('sends requests from a generator', async () => {
    async function* coming(): AsyncGenerator<Ask> {
      for (const each of asks(3)) yield await Promise.resolve(each);
    }
    const results = await Array.fromAsync(clients.batches.run({ endpoint: chat, requests: coming(), pollMs }));
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
  });

  test('sends moderations and returns typed results', async () => {
    const inputs = ['I want to kill myself, I have had enough', 'We love rivers.'];
    const flagged: unknown[] = [];
    for await (const result of clients.batches.run({
      endpoint: '/v1/moderations',
      requests: inputs.map((input, n) => ({ custom_id: `text-${n}`, body: { input } })),
      pollMs,
    })) {
      flagged.push([result.custom_id, result.ok && result.body.results[0]?.flagged]);
    }
    expect(flagged).toEqual([
      ['text-0', true],
      ['text-1', false],
    ]);
  });

  test('throws the validation errors of the server', async () => {
    const long = (letter: string) => letter.repeat(513);
    const run = clients.batches.run({ endpoint: chat, requests: [ask('a'), ask(long('b')), ask(long('c'))], pollMs });
    const failure = await run.next().catch((error: unknown) => error);
    if (!(failure instanceof BatchFailedError)) throw new Error('no failure', { cause: failure });
    expect(failure.batch.status).toBe('failed');
    expect(failure.batch.errors?.data).toMatchObject([
      { line: 2, code: 'string_above_max_length', param: 'custom_id' },
      { line: 3, code: 'string_above_max_length', param: 'custom_id' },
    ]);
    expect(failure.code).toBe('string_above_max_length');
    expect(failure.message).toContain('(line 2). And 1 more.');
    await expect(Array.fromAsync(clients.batches.results(failure.batch))).resolves.toEqual([]);
  });

  test('rejects invalid requests before it creates a file or a batch', async () => {
    const { batches, files } = createClients(server.url, { apiKey: await server.makeKey({ project: 'refused' }) });
    for (const requests of [[ask('a'), ask('a')], [ask('')], []]) {
      await expect(batches.run({ endpoint: chat, requests }).next()).rejects.toBeInstanceOf(InputError);
    }
    expect([(await batches.list()).data, (await files.list()).data]).toEqual([[], []]);
  });

  test('recovers from lost connections during upload, waiting and download', async () => {
    const proxy = await breakingProxy(server.url);
    const through = createClients(proxy.url, { apiKey: await server.makeKey({ project: 'broken' }) });
    proxy.breaks.push(
      { sender: 'client', bytes: 60_000 },
      { sender: 'server', bytes: 3000 },
      { sender: 'server', bytes: 10_000 },
      { sender: 'server', bytes: 50_000 },
    );
    const results = await Array.fromAsync(through.batches.run({ endpoint: chat, requests: asks(400), pollMs }));
    expect(results.map(({ ok, custom_id }) => [ok, custom_id])).toEqual(
      asks(400).map(({ custom_id }) => [true, custom_id]),
    );
    expect(proxy.broken()).toBe(4);
    expect(await Array.fromAsync(through.batches.list())).toHaveLength(1);
  });
});

test('supports create, retrieve, wait, list and results separately', async () => {
  const { batches, files, sent } = createClients(server.url, { apiKey: await server.makeKey({ project: 'calls' }) });
  const text = asks(5).map((each) => JSON.stringify({ ...each, method: 'POST', url: chat }));
  const input = await files.create({ file: new Blob([text.join('\n')]), purpose: 'batch' });
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) {
    const batch = await batches.create({ input_file_id: input.id, endpoint: chat, completion_window: '24h' });
    expect(batch).toMatchObject({ object: 'batch', status: 'validating' });
    ids.unshift(batch.id);
  }
  const [id = ''] = ids;
  const early = await batches.wait(id, { pollMs, until: ({ status }) => status !== 'validating' });
  expect(early.status).not.toBe('validating');
  for (const each of ids) expect((await batches.wait(each, { pollMs })).status).toBe('completed');
  const done = await batches.retrieve(id);
  expect(done.request_counts).toEqual({ total: 5, completed: 5, failed: 0 });

  expect(repliesOf(await Array.fromAsync(batches.results<typeof chat>(id))).map(([name]) => name)).toEqual(
    asks(5).map(({ custom_id }) => custom_id),
  );
  const byId = await batches.resultsById<typeof chat>(done);
  expect([...byId.keys()]).toEqual(asks(5).map(({ custom_id }) => custom_id));
  const third = byId.get('line-3');
  expect(third?.ok === true && third.body.choices[0]?.message.content).toContain('line-3');

  const before = sent.length;
  expect((await Array.fromAsync(batches.list({ limit: 2 }))).map((each) => each.id)).toEqual(ids);
  expect(sent.slice(before).map(({ path }) => path)).toEqual(['/batches?limit=2', `/batches?limit=2&after=${ids[1]}`]);
  expect((await batches.list({ limit: 1 })).has_more).toBe(true);
});

describe('an aborted batch', () => {
  let slow: TestServer;
  beforeAll(async () => {
    slow = await startTestServer({
      videos: false,
      moderation: false,
      simulator: { tokensPerSecond: 40 },
      batchConcurrency: 4,
    });
  });
  afterAll(() => slow.stop());

  test('cancel() returns the results so far and an error for each other request', async () => {
    const { batches } = createClients(slow.url);
    const results: BatchResult[] = [];
    let last: Batch | undefined;
    let cancelled: Promise<Batch> | undefined;
    for await (const result of batches.run({
      endpoint: chat,
      requests: asks(600),
      pollMs,
      onUpdate(batch) {
        last = batch;
        if ((batch.request_counts?.completed ?? 0) > 2) cancelled ??= Promise.resolve(batches.cancel(batch.id));
      },
    })) {
      results.push(result);
    }
    expect((await cancelled)?.status).toBe('cancelling');
    expect(last?.status).toBe('cancelled');
    const [done, rest] = [results.filter(({ ok }) => ok), results.filter(({ ok }) => !ok)];
    expect(done.length).toBeGreaterThan(2);
    expect(new Set(results.map(({ custom_id }) => custom_id)).size).toBe(600);
    for (const each of rest) expect(each).toMatchObject({ status: undefined, error: { code: 'batch_cancelled' } });
    expect(rest.length).toBe(600 - done.length);
  });

  test('an abort signal detaches by default and cancels the batch if requested', async () => {
    const { batches } = createClients(slow.url);
    for (const [cancelOnAbort, count, status] of [
      [false, 8, 'completed'],
      [true, 600, 'cancelled'],
    ] as const) {
      const controller = new AbortController();
      let id = '';
      const run = batches.run({
        endpoint: chat,
        requests: asks(count),
        signal: controller.signal,
        cancelOnAbort,
        pollMs,
        onUpdate(batch) {
          ({ id } = batch);
          controller.abort();
        },
      });
      await expect(run.next()).rejects.toMatchObject({ name: 'AbortError' });
      expect((await batches.wait(id, { pollMs })).status).toBe(status);
    }
  });

  test('has no results before it ends', async () => {
    const { batches } = createClients(slow.url);
    const onUpdate = (): never => {
      throw new Error('seen enough');
    };
    const run = batches.run({ endpoint: chat, requests: asks(600), pollMs, onUpdate });
    await expect(run.next()).rejects.toThrow('seen enough');
    const [batch] = (await batches.list({ limit: 1 })).data;
    await expect(batches.results(batch?.id ?? '').next()).rejects.toBeInstanceOf(InputError);
    await batches.cancel(batch?.id ?? '');
  });
});

test('run continues across a restart of the server', async () => {
  const first = await startTestServer({
    videos: false,
    moderation: false,
    simulator: { tokensPerSecond: 200 },
    batchConcurrency: 4,
  });
  let url = first.url;
  let again: Promise<TestServer> | undefined;
  onTestFinished(async () => (await (again ?? Promise.resolve(first))).stop());
  // The server restarts on another port: the proxy in front of it forwards there.
  const here = first.url;
  const moved = createClients(here, {
    fetch: (to, init) => fetch(to.replace(here, url), init),
  });
  const results = await Array.fromAsync(
    moved.batches.run({
      endpoint: chat,
      requests: asks(150),
      pollMs,
      maxFailures: 1000,
      onUpdate({ request_counts }) {
        if ((request_counts?.completed ?? 0) < 2) return;
        again ??= first.restart().then((server) => {
          url = server.url;
          return server;
        });
      },
    }),
  );
  await again;
  expect(results.map(({ ok, custom_id }) => [ok, custom_id])).toEqual(
    asks(150).map(({ custom_id }) => [true, custom_id]),
  );
});

test('throws a typed error with the parameter and the request ID', async () => {
  const { batches } = clients;
  const requestId = expect.stringMatching(/^req_/) as string;
  for (const call of [batches.retrieve, batches.cancel, batches.wait]) {
    await expect(call('batch_none')).rejects.toBeInstanceOf(NotFoundError);
    await expect(call('batch_none')).rejects.toMatchObject({ code: 'not_found', param: 'batch_id', requestId });
  }
  const input = { input_file_id: 'file-none', endpoint: chat, completion_window: '24h' } as const;
  await expect(batches.create(input)).rejects.toMatchObject({ name: 'NotFoundError', param: 'input_file_id' });
  await expect(batches.list({ limit: -1 })).rejects.toBeInstanceOf(BadRequestError);
  await expect(batches.list({ limit: -1 })).rejects.toMatchObject({ param: 'limit', requestId });
});
