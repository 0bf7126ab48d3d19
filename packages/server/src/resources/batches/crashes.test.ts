import { expect, onTestFinished, test, vi } from 'vitest';
import { RequestError } from '../../errors.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import type { MemoryWork } from '../../testing/memory-work.ts';
import { contentOf, says, scriptedEngine } from '../../testing/scripted-engine.ts';
import { listen } from '../../testing/listen.ts';
import { endpoint, lines, patient } from '../../testing/serve-batches.ts';

/** Servers on the same stores, started one after another; after a crash, only the requests that its engine received are known. */
async function crashing(work: MemoryWork, concurrency: number) {
  /** The requests that the engine of the current server has received and not completed. */
  let atWork = new Set<string>();
  const asked: string[] = [];
  let finish: (name: string) => boolean = () => false;
  async function start() {
    atWork = new Set();
    const mine = atWork;
    let hasCrashed = false;
    const assertAlive = (): void => {
      if (hasCrashed) throw new Error('the server has crashed');
    };
    const engine = scriptedEngine(
      async function* (request) {
        const name = contentOf({ messages: request.messages.slice(-1) });
        assertAlive();
        mine.add(name);
        asked.push(name);
        await vi.waitFor(() => expect(hasCrashed || finish(name)).toBe(true), patient);
        assertAlive();
        mine.delete(name);
        yield* says('done');
      },
      { concurrency: 64 },
    );
    // A server that has crashed writes nothing, and does not renew its leases.
    const dies = <Args extends unknown[], Value>(call: (...args: Args) => Promise<Value>) => {
      return (...args: Args): Promise<Value> =>
        hasCrashed ? Promise.reject(new Error('the server has crashed')) : call(...args);
    };
    const { jobs } = work.stores;
    const { batches } = work.stores.project('p');
    const project = {
      ...work.stores.project('p'),
      batches: {
        ...batches,
        addResults: dies(batches.addResults),
        replace: dies(batches.replace),
        end: dies(batches.end),
      },
    };
    const stores = {
      ...work.stores,
      project: () => project,
      jobs: {
        claim: dies(jobs.claim),
        cancelClaim: dies(jobs.cancelClaim),
        renew: dies(jobs.renew),
        backlog: dies(jobs.backlog),
        note: dies(jobs.note),
        release: dies(jobs.release),
      },
    };
    const { client } = await listen({
      engines: [engine],
      stores,
      blobs: work.blobs,
      batchConcurrency: concurrency,
      report: () => undefined,
      jobTimes: { pollMs: 10, retryMs: 10 },
    });
    return {
      client,
      crash() {
        hasCrashed = true;
        // Its leases expire.
        work.jobs.expireLeases();
      },
    };
  }
  onTestFinished(() => void (finish = () => true));
  return {
    start,
    asked,
    atWork: () => [...atWork].toSorted(),
    /** Sets which lines the engine completes from now on. */
    setCompleted: (which: (name: string) => boolean) => void (finish = which),
  };
}

const create = (client: Awaited<ReturnType<typeof listen>>['client'], input: string) =>
  client.batches.create({ input_file_id: input, endpoint, completion_window: '24h' });

/** A server that runs two of the eight lines of a batch. */
async function startEightLines() {
  const work = memoryWork();
  const app = await crashing(work, 2);
  const first = await app.start();
  const { id } = await create(first.client, work.input(lines(8)));
  await vi.waitFor(() => expect(app.atWork()).toEqual(['0', '1']), patient);
  return { work, app, first, id };
}

type CrashingServer = Awaited<ReturnType<Awaited<ReturnType<typeof crashing>>['start']>>;

async function completed({ client }: CrashingServer, id: string): Promise<void> {
  await vi.waitFor(async () => expect((await client.batches.retrieve(id)).status).toBe('completed'), patient);
}

test('a line that crashes its worker three times while it runs alone fails with a code, and all other lines are completed', async () => {
  const work = memoryWork();
  const app = await crashing(work, 4);
  app.setCompleted((name) => name !== '5');
  let server = await app.start();
  const { id } = await create(server.client, work.input(lines(30)));
  let crashes = 0;
  await vi.waitFor(async () => {
    const { status } = await server.client.batches.retrieve(id);
    // The line does not end, and no other line is left.
    if (status === 'in_progress' && app.atWork().join() === '5' && (work.batches.get(id)?.results.size ?? 0) >= 10) {
      server.crash();
      crashes++;
      server = await app.start();
    }
    expect(status).toBe('completed');
  }, patient);
  // The first one was during other lines.
  expect(crashes).toBe(4);
  const { request_counts, error_file_id, output_file_id } = await server.client.batches.retrieve(id);
  expect(request_counts).toEqual({ total: 30, completed: 29, failed: 1 });
  expect(work.linesOf(error_file_id)).toMatchObject([
    { custom_id: 'line 5', response: null, error: { code: 'worker_crashed' } },
  ]);
  expect(work.linesOf(output_file_id)).toHaveLength(29);
});

test('after a crash, the lines that were running are run last, one at a time', async () => {
  const { app, first, id } = await startEightLines();
  first.crash();
  app.asked.length = 0;
  const second = await app.start();
  // Two lines were running, and the results of two more may not have been stored.
  await vi.waitFor(() => expect(app.atWork()).toEqual(['4', '5']), patient);
  app.setCompleted((name) => Number(name) > 3);
  await vi.waitFor(() => expect(app.atWork()).toEqual(['0']), patient);
  app.setCompleted(() => true);
  await completed(second, id);
  expect(app.asked).toEqual(['4', '5', '6', '7', '0', '1', '2', '3']);
});

test('after a crash, the number of lines that the crashed server stored are run last', async () => {
  const { work, app, first, id } = await startEightLines();
  work.jobs.update(id, { notes: '{"crashes":[],"alone":null,"window":6}' });
  first.crash();
  app.asked.length = 0;
  const second = await app.start();
  app.setCompleted(() => true);
  await completed(second, id);
  expect(app.asked).toEqual(['6', '7', '0', '1', '2', '3', '4', '5']);
});

test('after a crash, the lines that were running are known, whatever the order in which lines ran', async () => {
  const work = memoryWork();
  const app = await crashing(work, 2);
  const first = await app.start();
  const input = lines(8).map((line, n) => {
    const messages = [{ role: 'system', content: n % 2 ? 'odd' : 'even' }, ...line.body.messages];
    return { ...line, body: { ...line.body, messages } };
  });
  const { id } = await create(first.client, work.input(input));
  await vi.waitFor(() => expect(app.atWork()).toEqual(['0', '2']), patient);
  first.crash();
  app.asked.length = 0;
  const second = await app.start();
  app.setCompleted(() => true);
  await completed(second, id);
  expect(app.asked).toEqual(['1', '3', '5', '7', '0', '2', '4', '6']);
});

test('killing a server three times fails no line of a harmless batch', async () => {
  const work = memoryWork();
  const app = await crashing(work, 2);
  let server = await app.start();
  const { id } = await create(server.client, work.input(lines(10)));
  for (let kill = 0; kill < 3; kill++) {
    await vi.waitFor(() => expect(app.atWork().length).toBeGreaterThan(0), patient);
    server.crash();
    server = await app.start();
  }
  app.setCompleted(() => true);
  await completed(server, id);
  expect((await server.client.batches.retrieve(id)).request_counts).toEqual({ total: 10, completed: 10, failed: 0 });
});

/** More batches than a server runs at once of one project. */
const suspectBatches = 6;

/** Batches that are suspects. The first one does not end, so that the others wait to run alone. */
async function manySuspects(status: 'validating' | 'in_progress') {
  const work = memoryWork();
  const app = await crashing(work, 8);
  const first = await app.start();
  const [firstInput = '', ...inputs] = Array.from({ length: suspectBatches }, () => work.input(lines(1)));
  const ids: string[] = [];
  for (const input of [firstInput, ...inputs]) ids.push((await create(first.client, input)).id);
  first.crash();
  for (const id of ids) {
    const unit = status === 'validating' ? -1 : 0;
    work.jobs.update(id, { token: '', notes: `{"crashes":[[${unit},0]],"alone":null}` });
    const request_counts = { total: 1, completed: 0, failed: 0 };
    work.batches.update(id, { status, in_progress_at: 1, request_counts });
  }
  return { work, app, ids, firstInput };
}

async function healthyBatchCompletes(work: MemoryWork, server: CrashingServer): Promise<void> {
  const [, line] = lines(2);
  const { id } = await create(server.client, work.input([line]));
  await completed(server, id);
}

test('suspect lines that wait to run alone do not block other batches', async () => {
  const { work, app } = await manySuspects('in_progress');
  app.setCompleted((name) => name === '1');
  const server = await app.start();
  await vi.waitFor(() => expect(app.atWork()).toEqual(['0']), patient);
  await healthyBatchCompletes(work, server);
  expect(app.atWork()).toEqual(['0']);
});

test('batches that wait to be validated alone do not block other batches', async () => {
  const { work, app, ids, firstInput } = await manySuspects('validating');
  const { read } = work.blobs;
  const hasEnded = Promise.withResolvers<undefined>();
  onTestFinished(() => hasEnded.resolve(undefined));
  work.blobs.read = async function* (key, range) {
    if (key.includes(firstInput)) await hasEnded.promise;
    yield* read(key, range);
  };
  app.setCompleted(() => true);
  const server = await app.start();
  await healthyBatchCompletes(work, server);
  expect(ids.map((id) => work.batches.get(id)?.batch.status)).toEqual(ids.map(() => 'validating'));
});

test('suspect lines of two batches do not run at the same time', async () => {
  const work = memoryWork();
  const app = await crashing(work, 8);
  const first = await app.start();
  const ids = [
    (await create(first.client, work.input(lines(2)))).id,
    (await create(first.client, work.input(lines(4).slice(2)))).id,
  ];
  await vi.waitFor(() => expect(app.atWork()).toEqual(['0', '1', '2', '3']), patient);
  first.crash();
  app.asked.length = 0;
  const second = await app.start();
  const seen: number[] = [];
  app.setCompleted(() => {
    seen.push(app.atWork().length);
    return true;
  });
  for (const id of ids) {
    await completed(second, id);
  }
  expect(new Set(seen)).toEqual(new Set([1]));
});

test('a line that waits for a retry during a crash is not a suspect', async () => {
  const work = memoryWork();
  const busy = scriptedEngine(() => {
    throw new RequestError('busy', { status: 503, headers: { 'retry-after': '3600' } });
  });
  const { client } = await listen({
    engines: [busy],
    stores: work.stores,
    blobs: work.blobs,
    jobTimes: { pollMs: 10, retryMs: 10 },
  });
  const { id } = await create(client, work.input(lines(1)));
  await vi.waitFor(() => expect(busy.asked).toHaveLength(1), patient);
  // As after a first crash.
  work.jobs.update(id, { token: 'of a crashed worker', due: 0 });
  await vi.waitFor(() => expect(busy.asked).toHaveLength(2), patient);
  await vi.waitFor(() => expect(work.jobs.get(id)?.notes).toContain('"alone":null'), patient);
});
