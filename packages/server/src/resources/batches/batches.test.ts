import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { RequestLogEntry } from '../../request-log.ts';
import { key } from '../../testing/listen.ts';
import { wordModeration } from '../../testing/moderation-engine.ts';
import { says } from '../../testing/scripted-engine.ts';
import { asked, endpoint, lines, patient, serve } from '../../testing/serve-batches.ts';

test('a batch writes successful and failed lines to its files in order, and counts them', async () => {
  const log: RequestLogEntry[] = [];
  const { work, create, until, engine } = await serve({
    log: (entry) => log.push(entry),
    script: async function* (request) {
      // Later lines are ready first.
      await sleep(20 - asked(request));
      yield* says(`answer ${asked(request)}`);
    },
  });
  const input = work.input([
    ...lines(18),
    { ...lines(1)[0], custom_id: 'no model', body: { model: 'absent', messages: [{ role: 'user', content: '1' }] } },
    { ...lines(1)[0], custom_id: 'no messages', body: { model: 'scripted', messages: [] } },
  ]);
  const created = await create(input);
  expect(created).toMatchObject({
    object: 'batch',
    endpoint,
    input_file_id: input,
    completion_window: '24h',
    status: 'validating',
    errors: null,
    output_file_id: null,
    error_file_id: null,
    in_progress_at: null,
    request_counts: { total: 0, completed: 0, failed: 0 },
    metadata: {},
    expires_at: created.created_at + 86_400,
  });
  const done = await until(created.id, 'completed');
  expect(done.request_counts).toEqual({ total: 20, completed: 18, failed: 2 });
  expect(done.usage).toEqual({
    input_tokens: 54,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 18,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 72,
  });
  for (const at of [done.in_progress_at, done.finalizing_at, done.completed_at]) expect(at).toBeTypeOf('number');
  for (const at of [done.failed_at, done.expired_at, done.cancelling_at, done.cancelled_at]) expect(at).toBeNull();
  const requestId = expect.stringMatching(/^req_/) as unknown;
  const id = expect.stringMatching(/^batch_req_/) as unknown;
  expect(work.linesOf(done.output_file_id)).toMatchObject(
    Array.from({ length: 18 }, (_, n) => ({
      id,
      custom_id: `line ${n}`,
      response: {
        status_code: 200,
        request_id: requestId,
        body: { object: 'chat.completion', service_tier: 'flex', choices: [{ message: { content: `answer ${n}` } }] },
      },
      error: null,
    })),
  );
  expect(work.linesOf(done.error_file_id)).toMatchObject([
    {
      custom_id: 'no model',
      response: { status_code: 404, body: { error: { code: 'model_not_found' } } },
      error: null,
    },
    { custom_id: 'no messages', response: { status_code: 400, body: { error: { param: 'messages' } } }, error: null },
  ]);
  const { files } = work.stores.project('p');
  const outputs = [done.output_file_id, done.error_file_id].map(async (id) => (await files.get(id ?? ''))?.file);
  expect(await Promise.all(outputs)).toMatchObject([
    { purpose: 'batch_output', filename: `${done.id}_output.jsonl`, expires_at: null },
    { purpose: 'batch_output', filename: `${done.id}_error.jsonl` },
  ]);
  expect(work.reserved.size).toBe(0);
  expect(work.jobs.count()).toBe(0);
  expect(engine.asked).toHaveLength(18);
  const ofLines = log.filter(({ batch }) => batch === done.id);
  expect(ofLines.map(({ status }) => status).toSorted()).toEqual([...Array<number>(18).fill(200), 400, 404]);
});

test('a batch whose lines all fail has no output file, one whose lines all succeed no error file', async () => {
  const { work, create, until } = await serve();
  const bad = await create(work.input(lines(2, { temperature: 7 })));
  const good = await create(work.input(lines(2)));
  expect(await until(bad.id, 'completed')).toMatchObject({
    output_file_id: null,
    error_file_id: expect.any(String) as unknown,
    model: 'scripted',
  });
  const done = await until(good.id, 'completed');
  expect(done).toMatchObject({ error_file_id: null, model: 'scripted' });
});

test('output_expires_after counts from the creation of the output files', async () => {
  const { work, batches, until } = await serve();
  const { id } = await batches.create({
    input_file_id: work.input(lines(1)),
    endpoint,
    completion_window: '24h',
    output_expires_after: { anchor: 'created_at', seconds: 7200 },
  });
  const { output_file_id } = await until(id, 'completed');
  const file = (await work.stores.project('p').files.get(output_file_id ?? ''))?.file;
  expect(file?.expires_at).toBe((file?.created_at ?? 0) + 7200);
});

test('lines of another served endpoint are run too', async () => {
  const { work, batches, until } = await serve({ moderationEngines: [wordModeration()] });
  const line = { custom_id: 'a', method: 'POST', url: '/v1/moderations', body: { input: 'bad' } };
  const { id } = await batches.create({
    input_file_id: work.input([line, { ...line, custom_id: 'b', body: { input: 7 } }]),
    endpoint: '/v1/moderations',
    completion_window: '24h',
  });
  const done = await until(id, 'completed');
  expect(done).toMatchObject({ request_counts: { completed: 1, failed: 1 }, model: null });
  expect(done.usage).toBeUndefined();
  expect(work.linesOf(done.output_file_id)).toMatchObject([
    { custom_id: 'a', response: { body: { results: [{ flagged: true }] } } },
  ]);
});

test('a response with Unicode line separators is a single line for readers that split at them', async () => {
  const { work, create, until } = await serve({ script: () => says('a\u2028b\u2029c\u0085d') });
  const { id } = await create(work.input(lines(1)));
  const { output_file_id } = await until(id, 'completed');
  const file = await work.stores.project('p').files.get(output_file_id ?? '');
  const bytes = work.bytes.get(file?.content[0]?.key ?? '');
  expect(new TextDecoder().decode(bytes)).not.toMatch(/[\u0085\u2028\u2029]/);
  expect(work.linesOf(output_file_id)).toMatchObject([
    { response: { body: { choices: [{ message: { content: 'a\u2028b\u2029c\u0085d' } }] } } },
  ]);
});

test('an invalid input file fails the batch with line numbers and errors', async () => {
  const { work, create, until, engine } = await serve();
  const { id } = await create(work.input([...lines(1), { custom_id: 'x' }, ...lines(1)]));
  expect(await until(id, 'failed')).toMatchObject({
    failed_at: expect.any(Number) as unknown,
    in_progress_at: null,
    output_file_id: null,
    error_file_id: null,
    errors: {
      object: 'list',
      data: [
        { line: 2, code: 'missing_required_parameter', param: 'method' },
        { line: 3, code: 'duplicate_custom_id', param: 'custom_id' },
      ],
    },
  });
  expect([engine.asked.length, work.jobs.count()]).toEqual([0, 0]);
});

test.each([
  ['an input file that is not there', { input_file_id: 'file-none' }, 404, 'not_found', 'input_file_id'],
  ['a file of another purpose', { purpose: 'user_data' }, 400, 'invalid_value', 'input_file_id'],
  ['a file that has expired', { expires_at: 1 }, 404, 'not_found', 'input_file_id'],
  ['a file above 200 MB', { bytes: 200 * 1024 ** 2 + 1 }, 400, 'file_too_large', 'input_file_id'],
  ['an endpoint that this server does not serve', { endpoint: '/v1/embeddings' }, 400, 'unsupported_value', 'endpoint'],
  ['an endpoint that no batch has', { endpoint: '/v1/batches' }, 400, 'invalid_value', 'endpoint'],
  ['no window', { completion_window: '25x' }, 400, 'invalid_value', 'completion_window'],
])('refuses %s', async (_, changed, status, code, param) => {
  const { work, url } = await serve({ worker: false });
  const { purpose = 'batch', expires_at, bytes, ...rest } = changed as Record<string, string | number | undefined>;
  const file = { purpose, expires_at, ...(bytes !== undefined && { bytes }) } as object;
  const body = { input_file_id: work.input(lines(1), file), endpoint, completion_window: '24h', ...rest };
  const response = await fetch(`${url}/v1/batches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { code, param } });
  expect(work.batches.count()).toBe(0);
});

test('lists batches, newest first, page by page', async () => {
  const { work, batches, create } = await serve({ worker: false });
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) ids.unshift((await create(work.input(lines(1)))).id);
  const found: string[] = [];
  for await (const { id } of batches.list({ limit: 2 })) found.push(id);
  expect(found).toEqual(ids);
  await expect(batches.list({ after: 'batch_none' })).rejects.toMatchObject({ status: 400, param: 'after' });
  await expect(batches.retrieve('batch_none')).rejects.toMatchObject({ status: 404, param: 'batch_id' });
  await expect(batches.cancel('batch_none')).rejects.toMatchObject({ status: 404, param: 'batch_id' });
});

test('the counts increase while a batch is in progress', async () => {
  const gates: (() => void)[] = [];
  const { work, create, batches } = await serve({
    batchConcurrency: 1,
    script: async function* () {
      await new Promise<void>((resolve) => gates.push(resolve));
      yield* says('Hi');
    },
  });
  const { id } = await create(work.input(lines(2)));
  await vi.waitFor(() => expect(gates).toHaveLength(1), patient);
  expect((await batches.retrieve(id)).request_counts).toEqual({ total: 2, completed: 0, failed: 0 });
  gates[0]?.();
  await vi.waitFor(() => expect(gates).toHaveLength(2), patient);
  await vi.waitFor(
    async () => expect((await batches.retrieve(id)).request_counts).toEqual({ total: 2, completed: 1, failed: 0 }),
    patient,
  );
  gates[1]?.();
});

test('the memory of the lines of all batches is limited', async () => {
  let atWork = 0;
  let most = 0;
  // The first wait for each other, however slow the machine is.
  const three = Promise.withResolvers<undefined>();
  async function* script() {
    most = Math.max(most, ++atWork);
    if (most === 3) three.resolve(undefined);
    await three.promise;
    await setImmediate();
    atWork--;
    yield* says('Hi');
  }
  const { work, create, until } = await serve({ script, maxBodyBytes: 1000, maxBufferedBytes: 3000 });
  const long = lines(4, { user: 'x'.repeat(700) });
  const ids = await Promise.all(Array.from({ length: 6 }, async () => (await create(work.input(long))).id));
  for (const id of ids) expect((await until(id, 'completed')).request_counts?.completed).toBe(4);
  // Each holds 800 characters and more, and none is read where a longer one would not fit.
  expect(most).toBe(3);
});

test('an unknown query parameter of the list is ignored where unknown parameters are kept', async () => {
  const { batches } = await serve({ unknownFields: 'keep' });
  expect((await batches.list({}, { query: { order: 'sideways' } })).data).toEqual([]);
});
