import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { memoryWork } from '../../testing/memory-work.ts';
import { lines, patient, serve as serveBatches } from '../../testing/serve-batches.ts';
import { serveWithGatedEngine as serve } from '../../testing/serve-with-gated-engine.ts';
import { windowEndsAfter } from '../../testing/window-ends-after.ts';

test('missing bytes of an existing file delay a batch and do not fail it', async () => {
  const work = memoryWork();
  const input = work.input(lines(5));
  const found = work.bytes.get(`blob_${input}`) ?? Buffer.of();
  work.bytes.delete(`blob_${input}`);
  const reported: string[] = [];
  const { create, openAll, until } = await serve(work, { report: (what) => reported.push(what) });
  openAll();
  const { id } = await create(input);
  await vi.waitFor(() => expect(reported).toContain('batch job failed, it will be retried'), patient);
  work.bytes.set(`blob_${input}`, found);
  expect((await until(id, 'completed')).request_counts).toEqual({ total: 5, completed: 5, failed: 0 });
});

test('a batch whose bytes stay missing expires when its window ends, with the results so far', async () => {
  const work = memoryWork();
  const { create, waiting, until } = await serve(work, windowEndsAfter(6));
  const input = work.input(lines(10));
  const { id } = await create(input);
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  waiting[1]?.();
  await vi.waitFor(() => expect(waiting).toHaveLength(5), patient);
  work.bytes.delete(`blob_${input}`);
  const expired = await until(id, 'expired');
  expect(expired.request_counts).toEqual({ total: 10, completed: 1, failed: 0 });
  expect(work.linesOf(expired.output_file_id)).toMatchObject([{ custom_id: 'line 1' }]);
});

test('when its files cannot be written, the batch ends after a retry, and no bytes are left behind', async () => {
  const work = memoryWork();
  let broken = true;
  const write = vi.fn<typeof work.blobs.write>(async (key, bytes, init) => {
    if (broken) throw new Error('disk full');
    return work.blobs.write(key, bytes, init);
  });
  const { create, openAll, until } = await serve(work, { blobs: { ...work.blobs, write } });
  openAll();
  const { id } = await create(work.input(lines(3)));
  await until(id, 'finalizing');
  await vi.waitFor(() => expect(write.mock.calls.length).toBeGreaterThan(1), patient);
  broken = false;
  const { output_file_id } = await until(id, 'completed');
  expect(work.linesOf(output_file_id)).toHaveLength(3);
  // Each of the failed ones may be removed from now on.
  const due = [...work.reserved.values()].filter((until) => until <= Date.now());
  expect(due).toHaveLength(write.mock.calls.length - 1);
});

test('a short failure of the store delays a batch and loses no result', async () => {
  const work = memoryWork();
  let fails = 3;
  const project = work.stores.project('p');
  const batches = {
    ...project.batches,
    addResults: async (...args: Parameters<typeof project.batches.addResults>) => {
      if (fails-- > 0) throw new Error('no connection');
      return project.batches.addResults(...args);
    },
  };
  const reported: string[] = [];
  const stores = { ...work.stores, project: () => ({ ...project, batches }) };
  const { create, openAll, asked, until } = await serve(work, { stores, report: (what) => reported.push(what) });
  openAll();
  const { id } = await create(work.input(lines(30)));
  const { request_counts, output_file_id } = await until(id, 'completed');
  expect(request_counts).toEqual({ total: 30, completed: 30, failed: 0 });
  expect(work.linesOf(output_file_id)).toHaveLength(30);
  expect(asked).toHaveLength(30);
  expect(reported.filter((what) => what === 'failed to store results of a batch, retrying')).toHaveLength(3);
  expect(reported).not.toContain('batch job failed, it will be retried');
});

test('a failure of the store that outlasts the lease delays a batch and does not fail it', async () => {
  const work = memoryWork();
  let broken = true;
  const project = work.stores.project('p');
  const batches = {
    ...project.batches,
    addResults: async (...args: Parameters<typeof project.batches.addResults>) => {
      if (broken) throw new Error('no connection');
      return project.batches.addResults(...args);
    },
  };
  const reported: string[] = [];
  const stores = { ...work.stores, project: () => ({ ...project, batches }) };
  const { create, openAll, until } = await serve(work, {
    stores,
    report: (what) => reported.push(what),
    jobTimes: { pollMs: 20, retryMs: 20, leaseMs: 200 },
  });
  openAll();
  const { id } = await create(work.input(lines(10)));
  await vi.waitFor(() => expect(reported).toContain('batch job failed, it will be retried'), patient);
  broken = false;
  expect((await until(id, 'completed')).request_counts).toEqual({ total: 10, completed: 10, failed: 0 });
});

test('a short failure to read the input loses no result', async () => {
  const work = memoryWork();
  let broken = false;
  const failed = vi.fn();
  const blobs: typeof work.blobs = {
    ...work.blobs,
    async *read(key, range) {
      if (broken) failed();
      if (broken) throw new Error('no connection');
      yield* work.blobs.read(key, range);
    },
  };
  const { create, waiting, asked, openAll, until } = await serve(work, { blobs });
  // Longer than one read.
  const long = lines(20).map((line) => ({ ...line, body: { ...line.body, user: 'x'.repeat(50_000) } }));
  const { id } = await create(work.input(long));
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  broken = true;
  // Some are still running when more input has to be read.
  for (let line = 0; failed.mock.calls.length === 0; line++) {
    await vi.waitFor(() => expect(waiting[line]).toBeDefined(), patient);
    waiting[line]?.();
    await vi.waitFor(() => expect(work.batches.get(id)?.results.has(line)).toBe(true), patient);
    await setImmediate();
  }
  broken = false;
  openAll();
  const { request_counts, output_file_id } = await until(id, 'completed');
  expect(request_counts).toEqual({ total: 20, completed: 20, failed: 0 });
  expect(work.linesOf(output_file_id)).toHaveLength(20);
  expect(asked).toHaveLength(20);
});

test('input that can no longer be read does not prevent the batch from ending', async () => {
  const work = memoryWork();
  const input = work.input(lines(6));
  const { create, waiting, until } = await serve(work, windowEndsAfter(6));
  const { id } = await create(input);
  await vi.waitFor(() => expect(waiting).toHaveLength(4), patient);
  const bytes = work.bytes.get(`blob_${input}`);
  if (!bytes) throw new Error('no input');
  // The last line without its line break.
  bytes.fill(0x21, bytes.lastIndexOf(0x0a, -2) + 1, bytes.length - 1);
  const { request_counts, errors } = await until(id, 'expired');
  // No custom ID of a damaged file is used.
  expect(request_counts).toEqual({ total: 6, completed: 0, failed: 0 });
  expect(errors?.data).toMatchObject([{ code: 'content_corrupted', param: 'input_file_id' }]);
});

test.each([
  ['while it is validated', 0],
  ['after it was validated', 1],
])('a batch whose input is damaged in the storage fails, and no line of it is sent: %s', async (_, intactReads) => {
  const work = memoryWork();
  const { read } = work.blobs;
  let reads = 0;
  work.blobs.read = async function* (key, range) {
    const isIntact = reads++ < intactReads;
    for await (const piece of read(key, range)) yield isIntact ? piece : piece.map((byte) => (byte === 49 ? 50 : byte));
  };
  const { create, until, engine, reported } = await serveBatches({ work });
  const { id } = await create(work.input(lines(2)));
  const batch = await until(id, 'failed', 'completed');
  expect(batch).toMatchObject({
    status: 'failed',
    errors: { data: [{ code: 'content_corrupted', param: 'input_file_id' }] },
  });
  expect(engine.asked).toEqual([]);
  expect(reported).toContain('stored contents are damaged');
});
