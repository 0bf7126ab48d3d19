import { RequestError } from '@modelwire/ports';
import type { Observer } from '@modelwire/ports';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RequestLogEntry } from '../../request-log.ts';
import {
  fakeProvider,
  forwardingEngine,
  notRun,
  providerReply,
  providerResult,
} from '../../testing/fake-batch-provider.ts';
import type { FakeProvider } from '../../testing/fake-batch-provider.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { lines, patient, serve } from '../../testing/serve-batches.ts';
import { windowEndsAfter } from '../../testing/window-ends-after.ts';

const jobTimes = { pollMs: 5, retryMs: 5, batchPollMs: 20 };
const down = (status = 503) => new RequestError('the provider is down', { status, code: 'upstream_unavailable' });
const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));

type Init = Parameters<typeof serve>[0];

interface ForwardingInit extends NonNullable<Init> {
  readonly live?: (content: string) => Promise<unknown>;
}

async function forwarding(provider: FakeProvider, { live, can, ...init }: ForwardingInit = {}) {
  const { engine, sentLive } = forwardingEngine(provider, live, can);
  const served = await serve({ engines: [engine], jobTimes, ...init });
  onTestFinished(() => served.server.close(0));
  const outputOf = (file: string | null | undefined): string[][] =>
    (served.work.linesOf(file) as OutputLine[]).map(({ custom_id, response, error }) => [
      custom_id,
      response?.body.choices?.[0]?.message.content ?? response?.body.error?.code ?? error?.code ?? '',
    ]);
  return { ...served, sentLive, outputOf };
}

interface OutputLine {
  readonly custom_id: string;
  readonly response: {
    readonly body: { choices?: { message: { content: string } }[]; error?: { code: string } };
  } | null;
  readonly error: { readonly code: string } | null;
}

const batched = (count: number) => numbers(count).map((n) => [`line ${n}`, `batched ${n}`]);

test('lines are submitted once, counted once, and their files are deleted at the provider', async () => {
  const log: RequestLogEntry[] = [];
  const provider = fakeProvider();
  const { work, create, until, sentLive, outputOf } = await forwarding(provider, { log: (entry) => log.push(entry) });
  const { id } = await create(work.input(lines(40)));
  const done = await until(id, 'completed');
  expect(done.request_counts).toEqual({ total: 40, completed: 40, failed: 0 });
  expect(done.usage?.total_tokens).toBe(40 * 4);
  expect(outputOf(done.output_file_id)).toEqual(batched(40));
  expect(provider.batches.map(({ lines: sent }) => sent.toSorted((a, b) => Number(a) - Number(b)))).toEqual([
    numbers(40),
  ]);
  expect(provider.files.size).toBe(0);
  expect(sentLive).toEqual([]);
  for (const due of work.reserved.values()) expect(due).toBeLessThanOrEqual(Date.now());
  const charged = log.filter(({ batch, usage }) => batch === id && (usage?.total_tokens ?? 0) > 0);
  expect(charged).toHaveLength(40);
  expect(log.filter(({ batch, retryInMs }) => batch === id && retryInMs === undefined)).toHaveLength(40);
});

test('calls of the provider are observed', async () => {
  const calls: string[] = [];
  const observer: Observer = {
    startRequest: () => undefined,
    batchApiCalled: ({ upstream, operation, outcome }) => void calls.push(`${upstream} ${operation} ${outcome}`),
  };
  const provider = fakeProvider();
  let failures = 1;
  const failsOnce: FakeProvider = {
    ...provider,
    create: (batch, signal) => (failures-- > 0 ? Promise.reject(down()) : provider.create(batch, signal)),
  };
  const { work, create, until } = await forwarding(failsOnce, { observer });
  const { id } = await create(work.input(lines(2)));
  await until(id, 'completed');
  const expected = [
    'provider upload succeeded',
    'provider create failed',
    'provider find succeeded',
    'provider create succeeded',
    'provider download succeeded',
    'provider deleteFile succeeded',
  ];
  expect(calls.filter((call) => call.endsWith('failed'))).toEqual(['provider create failed']);
  expect(calls).toEqual(expect.arrayContaining(expected));
});

test.each([
  [
    'guaranteed',
    [
      ['line 0', '{"n":0}'],
      ['line 1', '{"n":1}'],
    ],
    [['line 2', 'invalid_output']],
    ['1', '2', '2'],
  ],
  [
    'native',
    [['line 0', '{"n":0}']],
    [
      ['line 1', 'invalid_output'],
      ['line 2', 'invalid_output'],
    ],
    [],
  ],
] as const)(
  'replies that do not match a strict schema are repaired or errors: %s',
  async (mode, output, errors, live) => {
    const replies = ['{"n":0}', '{"n":"x"}', '{"n":"y"}'];
    const provider = fakeProvider((sent) => ({
      files: [sent.map((line) => providerReply(line, replies[Number(line.body.messages[0]?.content)] ?? ''))],
    }));
    const { work, create, until, sentLive, outputOf } = await forwarding(provider, {
      can: {
        parameters: { response_format: 'native' },
        response_formats: ['text', 'json_object', 'json_schema'],
        structured_outputs: mode,
      },
      live: (content) => Promise.resolve(content === '1' ? '{"n":1}' : 'I cannot.'),
    });
    const properties = { n: { type: 'integer' } };
    const schema = { type: 'object', properties, required: ['n'], additionalProperties: false };
    const response_format = { type: 'json_schema', json_schema: { name: 'one', strict: true, schema } };
    const { id } = await create(work.input(lines(3, { response_format })));
    const done = await until(id, 'completed');
    expect(outputOf(done.output_file_id)).toEqual(output);
    expect(outputOf(done.error_file_id)).toEqual(errors);
    expect(sentLive.toSorted()).toEqual(live);
    expect(provider.batches).toHaveLength(1);
  },
);

test('oddities of result files: no JSON, unknown lines, duplicates, missing results, errors', async () => {
  const provider = fakeProvider((sent) => {
    const [zero, one, two, , four, five] = numbers(6).map((n) =>
      sent.find(({ body }) => body.messages[0]?.content === n),
    );
    if (!zero || !one || !two || !four || !five) throw new Error('a line is missing');
    return {
      files: [
        [
          '{',
          providerResult(zero),
          { ...providerResult(one), custom_id: 'line-99' },
          { ...providerResult(one), custom_id: '../1' },
          providerResult(one),
          'null',
        ],
        [
          { ...two, response: { status_code: 400, body: { error: { message: 'bad' } } }, error: null },
          { ...providerResult(zero), response: { status_code: 500, body: { error: { message: 'again' } } } },
          { custom_id: four.custom_id, response: null, error: { code: 'server_error', message: 'It failed.' } },
          { custom_id: five.custom_id, response: { status_code: 'ok' } },
        ],
      ],
    };
  });
  const { work, create, until, outputOf, reported } = await forwarding(provider);
  const { id } = await create(work.input(lines(6)));
  const done = await until(id, 'completed');
  expect(done.request_counts).toEqual({ total: 6, completed: 2, failed: 4 });
  expect(outputOf(done.output_file_id)).toEqual(batched(2));
  expect(outputOf(done.error_file_id)).toEqual([
    ['line 2', 'refused'],
    ['line 3', 'upstream_result_missing'],
    ['line 4', 'refused'],
    ['line 5', 'refused'],
  ]);
  expect(provider.batches).toHaveLength(1);
  expect(reported).toContain('results of an upstream were not used');
});

test('a completed batch without any file leaves lines with an error, which are not submitted again', async () => {
  const provider = fakeProvider(() => ({ files: [] }));
  const { work, create, until, outputOf } = await forwarding(provider);
  const { id } = await create(work.input(lines(3)));
  const { error_file_id } = await until(id, 'completed');
  expect(outputOf(error_file_id)).toEqual(numbers(3).map((n) => [`line ${n}`, 'upstream_result_missing']));
  expect(provider.batches).toHaveLength(1);
});

test('lines that the provider did not run before its window ended are submitted again, the others are not', async () => {
  const provider = fakeProvider((sent, number) => {
    if (number > 0) return { files: [sent.map(providerResult)] };
    const half = Math.ceil(sent.length / 2);
    return {
      status: 'ended',
      files: [sent.slice(0, half).map(providerResult), sent.slice(half).map((line) => notRun(line))],
    };
  });
  const { work, create, until, outputOf } = await forwarding(provider);
  const { id } = await create(work.input(lines(10)));
  const { output_file_id } = await until(id, 'completed');
  expect(outputOf(output_file_id)).toEqual(batched(10));
  expect(provider.batches.map(({ lines: sent }) => sent.length)).toEqual([10, 5]);
});

test.each([true, false])(
  'a batch whose creation had no reply is found again, or created again (created: %s)',
  async (isCreated) => {
    const fake = fakeProvider();
    let creations = 0;
    const provider: FakeProvider = {
      ...fake,
      async create(init, signal) {
        if (creations++ > 0) return fake.create(init, signal);
        if (isCreated) await fake.create(init, signal);
        throw down(502);
      },
    };
    const { work, create, until, outputOf } = await forwarding(provider);
    const { id } = await create(work.input(lines(5)));
    const { output_file_id } = await until(id, 'completed');
    expect(outputOf(output_file_id)).toEqual(batched(5));
    expect(fake.batches).toHaveLength(1);
    expect(creations).toBe(isCreated ? 1 : 2);
  },
);

test('failures while uploading, polling and downloading are repeated until the provider answers', async () => {
  const fake = fakeProvider();
  const failures: Record<string, number> = { upload: 2, retrieve: 3, download: 2 };
  const mayFail = (name: string, status: number): void => {
    failures[name] = (failures[name] ?? 0) - 1;
    if ((failures[name] ?? 0) >= 0) throw down(status);
  };
  const provider: FakeProvider = {
    ...fake,
    async upload(input, signal) {
      mayFail('upload', 500);
      return fake.upload(input, signal);
    },
    async retrieve(batchId, signal) {
      mayFail('retrieve', 429);
      return fake.retrieve(batchId, signal);
    },
    async *download(fileId) {
      const text = fake.files.get(fileId) ?? '';
      yield new TextEncoder().encode(text.slice(0, text.length / 2));
      mayFail('download', 502);
      yield new TextEncoder().encode(text.slice(text.length / 2));
    },
  };
  const { work, create, until, outputOf } = await forwarding(provider);
  const { id } = await create(work.input(lines(8)));
  const done = await until(id, 'completed');
  expect(outputOf(done.output_file_id)).toEqual(batched(8));
  expect(done.request_counts).toEqual({ total: 8, completed: 8, failed: 0 });
  expect(fake.batches).toHaveLength(1);
});

test('a batch says that it waits for its provider', async () => {
  const provider: FakeProvider = { ...fakeProvider(), retrieve: () => Promise.reject(down()) };
  const { work, create, batches } = await forwarding(provider);
  const { id } = await create(work.input(lines(2)));
  await vi.waitFor(
    async () =>
      expect(await batches.retrieve(id)).toMatchObject({
        status: 'in_progress',
        waiting_for: { reason: 'upstream_unavailable', message: 'the provider is down' },
      }),
    patient,
  );
});

test('a batch whose provider is too slow for its window says so', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const submitted = fakeProvider(() => undefined);
  const provider: FakeProvider = {
    ...submitted,
    retrieve: async (id, signal) => {
      const found = await submitted.retrieve(id, signal);
      return found && { ...found, endedLines: 1 };
    },
  };
  const { work, create, batches } = await forwarding(provider, windowEndsAfter(3600));
  const { id } = await create(work.input(lines(1000)));
  await vi.waitFor(() => expect(submitted.batches).toHaveLength(1), patient);
  await vi.advanceTimersByTimeAsync(11_000);
  await vi.waitFor(async () => expect(await batches.retrieve(id)).toHaveProperty('late.expected_at'), patient);
});

const rejected = { status: 'failed', error: { code: 'model_not_found', message: 'No batches.' } } as const;

test('a batch that the provider rejects leaves its reason as the error of each line', async () => {
  const provider = fakeProvider(() => rejected);
  const { work, create, until, outputOf, sentLive } = await forwarding(provider);
  const { id } = await create(work.input(lines(3)));
  const { error_file_id } = await until(id, 'completed');
  expect(outputOf(error_file_id)).toEqual(numbers(3).map((n) => [`line ${n}`, 'model_not_found']));
  expect(sentLive).toEqual([]);
});

test('a batch that the provider rejects for the moment is submitted again', async () => {
  const provider = fakeProvider((sent, number) =>
    number < 2
      ? { status: 'failed', error: { code: 'token_limit_exceeded', message: 'Too many tokens are enqueued.' } }
      : { files: [sent.map(providerResult)] },
  );
  const { work, create, until, outputOf } = await forwarding(provider);
  const { id } = await create(work.input(lines(3)));
  const { output_file_id } = await until(id, 'completed');
  expect(outputOf(output_file_id)).toEqual(batched(3));
  expect(provider.batches).toHaveLength(3);
});

test('a cancelled batch is cancelled at the provider, and has the results of the lines that ran there', async () => {
  const provider = fakeProvider((sent) => ({
    status: 'running',
    files: [sent.filter((_, index) => index < 2).map(providerResult)],
  }));
  const { work, create, batches, until } = await forwarding(provider);
  const { id } = await create(work.input(lines(6)));
  await vi.waitFor(() => expect(provider.batches).toHaveLength(1), patient);
  await batches.cancel(id);
  const cancelled = await until(id, 'cancelled');
  expect(cancelled.request_counts).toEqual({ total: 6, completed: 2, failed: 4 });
  expect(provider.cancelled).toEqual(['batch-at-provider-0']);
  expect(provider.files.size).toBe(0);
});

test('at the end of the window the batch is cancelled at the provider, and has the results so far', async () => {
  const provider = fakeProvider((sent) => ({ status: 'running', files: [sent.slice(0, 1).map(providerResult)] }));
  const { work, create, until } = await forwarding(provider, windowEndsAfter(3));
  const { id } = await create(work.input(lines(4)));
  const expired = await until(id, 'expired');
  expect(expired.request_counts).toEqual({ total: 4, completed: 1, failed: 3 });
  expect(provider.cancelled).toEqual(['batch-at-provider-0']);
});

test('a server that continues the batch of another follows what that has submitted', async () => {
  const work = memoryWork();
  let hasEnded = false;
  const provider = fakeProvider((sent) => ({ status: 'running', files: [sent.map(providerResult)] }));
  const retrieve: FakeProvider['retrieve'] = async (batchId, signal) => {
    const batch = await provider.retrieve(batchId, signal);
    return batch && hasEnded ? { ...batch, status: 'completed' } : batch;
  };
  const first = await forwarding({ ...provider, retrieve }, { work });
  const { id } = await first.create(work.input(lines(12)));
  await vi.waitFor(() => expect(provider.batches).toHaveLength(1), patient);
  await first.server.close(0);
  const second = await forwarding({ ...provider, retrieve }, { work });
  await vi.waitFor(() => expect(work.jobs.get(id)?.token).not.toBe(''), patient);
  hasEnded = true;
  const { output_file_id } = await second.until(id, 'completed');
  expect(second.outputOf(output_file_id)).toEqual(batched(12));
  expect(provider.batches).toHaveLength(1);
  expect([...first.sentLive, ...second.sentLive]).toEqual([]);
});

test.each([true, false])(
  'a crash while the batch is created at the provider submits its lines once (created: %s)',
  async (isCreated) => {
    const work = memoryWork();
    const fake = fakeProvider();
    let isCreating = false;
    const crashing: FakeProvider = {
      ...fake,
      async create(init, signal) {
        if (isCreated) await fake.create(init, signal);
        isCreating = true;
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      },
    };
    const first = await forwarding(crashing, { work });
    const { id } = await first.create(work.input(lines(5)));
    await vi.waitFor(() => expect(isCreating).toBe(true), patient);
    await first.server.close(0);
    const second = await forwarding(fake, { work });
    const { output_file_id } = await second.until(id, 'completed');
    expect(second.outputOf(output_file_id)).toEqual(batched(5));
    expect(fake.batches).toHaveLength(1);
  },
);

test('lines whose preparation crashed too often are sent like other lines', async () => {
  const work = memoryWork();
  const project = work.stores.project('p');
  const batches = {
    ...project.batches,
    forwarding: () => Promise.resolve({ submissions: [], preparations: 3 }),
  };
  const stores = { ...work.stores, project: () => ({ ...project, batches }) };
  const provider = fakeProvider();
  const { create, until, sentLive } = await forwarding(provider, { work, stores });
  const { id } = await create(work.input(lines(3)));
  await until(id, 'completed');
  expect(sentLive.toSorted()).toEqual(numbers(3));
  expect(provider.batches).toEqual([]);
});

test('own capacity runs all lines that it can run in time', async () => {
  const provider = fakeProvider(undefined, { hasOwnCapacity: true });
  const { work, create, until, sentLive } = await forwarding(provider);
  const { id } = await create(work.input(lines(20)));
  await until(id, 'completed');
  expect(sentLive.toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers(20));
  expect(provider.batches).toEqual([]);
});

test('lines that own capacity will not run in time are submitted, and none is run twice', async () => {
  const provider = fakeProvider(undefined, { hasOwnCapacity: true });
  const submitted = vi.waitUntil(() => provider.batches.length > 0, patient);
  const { work, create, until, sentLive } = await forwarding(provider, {
    live: () => submitted,
  });
  const { id } = await create(work.input(lines(40)));
  const done = await until(id, 'completed');
  expect(done.request_counts).toEqual({ total: 40, completed: 40, failed: 0 });
  const atProvider = provider.batches.flatMap(({ lines: sent }) => sent);
  expect(atProvider.length).toBeGreaterThan(20);
  expect([...atProvider, ...sentLive].toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers(40));
});

test('lines that a provider rejects are run by own capacity', async () => {
  const provider = fakeProvider(() => rejected, { hasOwnCapacity: true });
  const submitted = vi.waitUntil(() => provider.batches.length > 0, patient);
  const { work, create, until, sentLive } = await forwarding(provider, { live: () => submitted });
  const { id } = await create(work.input(lines(30)));
  const done = await until(id, 'completed');
  expect(done.request_counts).toEqual({ total: 30, completed: 30, failed: 0 });
  expect(sentLive.toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers(30));
  expect(provider.batches).toHaveLength(1);
});

test('an input file that the provider refuses leaves its reason as the error of each line', async () => {
  const refused = new RequestError('Batches are not enabled.', { status: 400, code: 'not_enabled' });
  const provider: FakeProvider = { ...fakeProvider(), upload: () => Promise.reject(refused) };
  const { work, create, until, outputOf } = await forwarding(provider);
  const { id } = await create(work.input(lines(2)));
  const { error_file_id } = await until(id, 'completed');
  expect(outputOf(error_file_id)).toEqual(numbers(2).map((n) => [`line ${n}`, 'not_enabled']));
});

test('after a crash before the submission was forgotten, lines whose results were stored are not run again', async () => {
  const work = memoryWork();
  const project = work.stores.project('p');
  let hasCrashed = false;
  const { setForwarding } = project.batches;
  const batches: typeof project.batches = {
    ...project.batches,
    async setForwarding(batchId, lease, next) {
      if (work.batches.get(batchId)?.results.size === 6) hasCrashed = true;
      return hasCrashed ? new Promise<boolean>(() => undefined) : setForwarding(batchId, lease, next);
    },
  };
  const stores = { ...work.stores, project: () => ({ ...project, batches }) };
  const provider = fakeProvider((sent) => ({ status: 'ended', files: [sent.map(providerResult)] }));
  const first = await forwarding(provider, { work, stores });
  const { id } = await first.create(work.input(lines(6)));
  await vi.waitFor(() => expect(hasCrashed).toBe(true), patient);
  // The files with the results are gone.
  expect(provider.files.size).toBe(0);
  await first.server.close(0);
  const second = await forwarding(
    {
      ...provider,
      async *download() {
        await Promise.resolve();
        throw new RequestError('No such file', { status: 404 });
      },
    },
    { work },
  );
  const done = await second.until(id, 'completed');
  expect(done.request_counts).toEqual({ total: 6, completed: 6, failed: 0 });
  expect(provider.batches).toHaveLength(1);
  expect(second.sentLive).toEqual([]);
});

test('lines of a batch that the provider has forgotten may have been billed, and are not run again', async () => {
  const provider: FakeProvider = { ...fakeProvider(() => undefined), retrieve: () => Promise.resolve(undefined) };
  const { work, create, until, outputOf } = await forwarding(provider);
  const { id } = await create(work.input(lines(2)));
  const { error_file_id } = await until(id, 'completed');
  expect(outputOf(error_file_id)).toEqual(numbers(2).map((n) => [`line ${n}`, 'upstream_result_missing']));
  expect(provider.batches).toHaveLength(1);
});
