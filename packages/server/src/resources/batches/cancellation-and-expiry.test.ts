import type { KeyRecord, KeyStore, ProjectRecord } from '@modelwire/ports';
import { expect, test, vi } from 'vitest';
import { RequestError } from '../../errors.ts';
import { fakeClock } from '../../testing/fake-clock.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import type { MemoryWork } from '../../testing/memory-work.ts';
import { scriptedEngine } from '../../testing/scripted-engine.ts';
import { serveWithGatedEngine as serve } from '../../testing/serve-with-gated-engine.ts';
import { lines, patient } from '../../testing/serve-batches.ts';
import { windowEndsAfter } from '../../testing/window-ends-after.ts';

/** Long enough for lines to start before it ends, also on a busy machine. */
const windowSeconds = 6;

/** As if its window had ended, for a batch without a worker. */
function endWindow(work: MemoryWork, id: string): void {
  work.batches.update(id, { expires_at: 1 });
}

test('a cancelled batch is cancelling immediately; running lines finish, the others are not sent', async () => {
  const work = memoryWork();
  const { create, batches, waiting, asked, openAll, until } = await serve(work);
  const { id } = await create(work.input(lines(10)));
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  const cancelling = await batches.cancel(id);
  expect(cancelling).toMatchObject({ status: 'cancelling', cancelling_at: expect.any(Number) as unknown });
  expect(cancelling.cancelled_at).toBeNull();
  expect(await batches.cancel(id)).toEqual(cancelling);
  openAll();
  const cancelled = await until(id, 'cancelled');
  expect(cancelled.request_counts).toEqual({ total: 10, completed: 4, failed: 6 });
  expect(cancelled).toMatchObject({
    finalizing_at: null,
    completed_at: null,
    cancelled_at: expect.any(Number) as unknown,
  });
  expect(work.linesOf(cancelled.output_file_id)).toMatchObject(
    [0, 1, 2, 3].map((n) => ({ custom_id: `line ${n}`, response: { status_code: 200 }, error: null })),
  );
  expect(work.linesOf(cancelled.error_file_id)).toMatchObject(
    [4, 5, 6, 7, 8, 9].map((n) => ({
      custom_id: `line ${n}`,
      response: null,
      error: { code: 'batch_cancelled', message: expect.any(String) as unknown },
    })),
  );
  expect(asked).toHaveLength(4);
  expect(await batches.cancel(id)).toEqual(cancelled);
});

test('lines that exceed the cancellation window are aborted', async () => {
  const work = memoryWork();
  const { create, batches, waiting, aborted, until } = await serve(work, { batchCancelTimeoutSeconds: 0 });
  const { id } = await create(work.input(lines(6)));
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  await batches.cancel(id);
  const { request_counts, output_file_id } = await until(id, 'cancelled');
  expect(aborted).toHaveLength(4);
  expect(request_counts).toEqual({ total: 6, completed: 0, failed: 6 });
  expect(output_file_id).toBeNull();
});

test('running lines of a cancelled batch may finish, whatever the clock of the server that cancelled it', async () => {
  const work = memoryWork();
  const project = work.stores.project('p');
  let seenCancelling = 0;
  const get: typeof project.batches.get = async (id) => {
    const record = await project.batches.get(id);
    if (record?.batch.status === 'cancelling') seenCancelling++;
    return record;
  };
  const stores = { ...work.stores, project: () => ({ ...project, batches: { ...project.batches, get } }) };
  const clock = fakeClock(Date.now());
  const { create, batches, waiting, aborted, openAll, until } = await serve(work, {
    batchCancelTimeoutSeconds: 600,
    stores,
    clock,
  });
  const { id } = await create(work.input(lines(6)));
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  await batches.cancel(id);
  // An hour ahead: by this clock the ten minutes have passed when the worker sees it.
  clock.set(3_600_000);
  await vi.waitFor(() => expect(seenCancelling).toBeGreaterThan(0), patient);
  // Timers run in the order in which they are due: one that aborts the lines at once has run before this one.
  await new Promise((resolve) => setTimeout(resolve, 20));
  openAll();
  const { request_counts } = await until(id, 'cancelled');
  expect(aborted).toEqual([]);
  expect(request_counts).toEqual({ total: 6, completed: 4, failed: 2 });
});

test('a cancelled batch does not wait for lines that wait for a retry', async () => {
  const work = memoryWork();
  const busy = scriptedEngine(() => {
    throw new RequestError('busy', { status: 503, headers: { 'retry-after': '3600' } });
  });
  const { create, batches, until } = await serve(work, { engines: [busy] });
  const { id } = await create(work.input(lines(6)));
  await vi.waitFor(() => expect(busy.asked).toHaveLength(4), patient);
  await batches.cancel(id);
  expect((await until(id, 'cancelled')).request_counts).toEqual({ total: 6, completed: 0, failed: 6 });
  expect(busy.asked).toHaveLength(4);
});

test('a batch that is cancelled before its validation has no files', async () => {
  const work = memoryWork();
  const waiting = await serve(work, { worker: false });
  const { id } = await waiting.create(work.input(lines(3)));
  expect((await waiting.batches.cancel(id)).status).toBe('cancelling');
  const { until } = await serve(work);
  expect(await until(id, 'cancelled')).toMatchObject({
    output_file_id: null,
    error_file_id: null,
    request_counts: { total: 0, completed: 0, failed: 0 },
  });
});

test('a batch that is cancelled while it is queued ends immediately', async () => {
  const work = memoryWork();
  const { create, batches, waiting, until } = await serve(work, { maxBatchesPerProject: 1 });
  const first = await create(work.input(lines(10)));
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  const { id } = await create(work.input(lines(3)));
  expect((await batches.cancel(id)).status).toBe('cancelling');
  await until(id, 'cancelled');
  await until(first.id, 'in_progress');
});

test('a batch whose window ends while it is queued expires immediately', async () => {
  const work = memoryWork();
  const { create, waiting, until } = await serve(work, { maxBatchesPerProject: 1 });
  const first = await create(work.input(lines(10)));
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  const { id } = await create(work.input(lines(3)));
  // As if it had waited for all of it.
  endWindow(work, id);
  work.jobs.update(id, { due: 1000 });
  await until(id, 'expired');
  await until(first.id, 'in_progress');
});

test('when the window ends, completed lines are in the output file and the others have expired', async () => {
  const work = memoryWork();
  const { create, waiting, aborted, until } = await serve(work, windowEndsAfter(windowSeconds));
  const { id, created_at, expires_at } = await create(work.input(lines(10)));
  expect(expires_at).toBe(created_at + 86_400);
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  waiting[1]?.();
  const expired = await until(id, 'expired');
  expect(expired.request_counts).toEqual({ total: 10, completed: 1, failed: 9 });
  expect(expired).toMatchObject({ expired_at: expect.any(Number) as unknown, completed_at: null });
  expect(work.linesOf(expired.output_file_id)).toMatchObject([{ custom_id: 'line 1' }]);
  expect(work.linesOf(expired.error_file_id)).toMatchObject(
    [0, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ({
      custom_id: `line ${n}`,
      response: null,
      error: { code: 'batch_expired' },
    })),
  );
  expect(aborted.length).toBe(4);
});

test('a batch that was not run within its window expires', async () => {
  const work = memoryWork();
  const waiting = await serve(work, { worker: false });
  const { id } = await waiting.create(work.input(lines(3)));
  endWindow(work, id);
  const { until } = await serve(work);
  expect(await until(id, 'expired')).toMatchObject({ output_file_id: null, error_file_id: null });
});

test.each(['completed', 'failed', 'finalizing', 'expired'] as const)(
  'a batch that is %s cannot be cancelled, and the error names its status',
  async (status) => {
    const work = memoryWork();
    const { create, batches } = await serve(work, { worker: false });
    const { id } = await create(work.input(lines(1)));
    work.batches.update(id, { status });
    await expect(batches.cancel(id)).rejects.toMatchObject({
      status: 409,
      code: 'batch_not_cancellable',
      message: expect.stringContaining(`'${status}'`) as unknown,
    });
  },
);

test('deleting the input file of a running batch fails the batch, with the results so far', async () => {
  const work = memoryWork();
  const { create, waiting, openAll, until } = await serve(work);
  // Longer than one read.
  const long = lines(20).map((line) => ({ ...line, body: { ...line.body, user: 'x'.repeat(50_000) } }));
  const input = work.input(long);
  const { id } = await create(input);
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  work.files.delete(input);
  work.bytes.delete(`blob_${input}`);
  openAll();
  const failed = await until(id, 'failed');
  expect(failed.errors?.data).toMatchObject([{ code: 'input_file_deleted', param: 'input_file_id' }]);
  const completed = failed.request_counts?.completed ?? 0;
  expect(completed).toBeGreaterThanOrEqual(4);
  expect(work.linesOf(failed.output_file_id)).toHaveLength(completed);
});

test.each(['before', 'while'] as const)(
  'a batch whose input file is deleted and whose window ends %s it runs expires, with an error for the missing lines',
  async (when) => {
    const work = memoryWork();
    const first = await serve(work, when === 'while' ? windowEndsAfter(windowSeconds) : {});
    const input = work.input(lines(10));
    const { id } = await first.create(input);
    await vi.waitFor(() => expect(first.waiting).toHaveLength(4), patient);
    first.waiting[1]?.();
    await vi.waitFor(() => expect(first.waiting).toHaveLength(5), patient);
    if (when === 'before') await first.server.close(10);
    work.bytes.delete(`blob_${input}`);
    work.files.delete(input);
    if (when === 'before') endWindow(work, id);
    const { until } = when === 'before' ? await serve(work) : first;
    const expired = await until(id, 'expired');
    expect(expired.request_counts).toEqual({ total: 10, completed: 1, failed: 0 });
    expect(expired.errors?.data).toMatchObject([{ code: 'input_file_deleted', param: 'input_file_id' }]);
    expect(work.linesOf(expired.output_file_id)).toMatchObject([{ custom_id: 'line 1' }]);
    expect(expired.error_file_id).toBeNull();
  },
);

test('a batch that is cancelled after its input file was deleted has an error for the missing lines', async () => {
  const work = memoryWork();
  const { create, batches, waiting, until } = await serve(work, { batchCancelTimeoutSeconds: 0 });
  const input = work.input(lines(10));
  const { id } = await create(input);
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  work.files.delete(input);
  await batches.cancel(id);
  const { errors, request_counts } = await until(id, 'cancelled');
  expect(request_counts).toEqual({ total: 10, completed: 0, failed: 0 });
  expect(errors?.data).toMatchObject([{ code: 'input_file_deleted' }]);
});

/** Stores whose keys were found as given; the server reads them for every batch. */
function withAccess(work: MemoryWork) {
  const state: { revoked: number | null; archived: number | null } = { revoked: null, archived: null };
  const keys: Pick<KeyStore, 'get' | 'getProject' | 'recordUse'> = {
    get: (id) => Promise.resolve({ id, revoked: state.revoked } as KeyRecord),
    getProject: (id) => Promise.resolve({ id, archived: state.archived } as ProjectRecord),
    recordUse: () => Promise.resolve(),
  };
  return { state, stores: { ...work.stores, keys: keys as KeyStore } };
}

test.each([
  ['key_revoked', 'revoked'],
  ['project_archived', 'archived'],
] as const)(
  'a batch whose access ended (%s) is cancelled; running lines finish, the others are not sent',
  async (code, field) => {
    const work = memoryWork();
    const { state, stores } = withAccess(work);
    const { create, waiting, asked, openAll, until } = await serve(work, { stores });
    const { id } = await create(work.input(lines(10)));
    await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
    state[field] = 1;
    expect((await until(id, 'cancelling')).errors?.data).toMatchObject([{ code, line: null, param: null }]);
    openAll();
    const cancelled = await until(id, 'cancelled');
    expect(cancelled.request_counts).toEqual({ total: 10, completed: 4, failed: 6 });
    expect(cancelled.errors?.data).toMatchObject([{ code }]);
    expect(work.linesOf(cancelled.error_file_id)).toMatchObject(
      [4, 5, 6, 7, 8, 9].map((n) => ({ custom_id: `line ${n}`, error: { code: 'batch_cancelled' } })),
    );
    expect(asked).toHaveLength(4);
  },
);

test('no line of a queued batch is sent when its key was revoked before a worker claims it', async () => {
  const work = memoryWork();
  const { state, stores } = withAccess(work);
  const waiting = await serve(work, { stores, worker: false });
  const { id } = await waiting.create(work.input(lines(3)));
  state.revoked = 1;
  const { asked, until } = await serve(work, { stores });
  const { errors, output_file_id } = await until(id, 'cancelled');
  expect(errors?.data).toMatchObject([{ code: 'key_revoked' }]);
  expect([asked, output_file_id]).toEqual([[], null]);
});
