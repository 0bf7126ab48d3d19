import { expect, test, vi } from 'vitest';
import { RequestError } from '../../errors.ts';
import { memoryWork } from '../../testing/memory-work.ts';
import { scriptedEngine } from '../../testing/scripted-engine.ts';
import { serveWithGatedEngine as serve } from '../../testing/serve-with-gated-engine.ts';
import { lines, patient } from '../../testing/serve-batches.ts';

test('a server that stops releases its batch immediately; no completed line is sent again', async () => {
  const work = memoryWork();
  const first = await serve(work, { jobTimes: { pollMs: 20 } });
  const { id } = await first.create(work.input(lines(10)));
  await vi.waitFor(() => expect(first.waiting).toHaveLength(4), patient);
  first.waiting[0]?.();
  first.waiting[2]?.();
  await vi.waitFor(() => expect(first.waiting).toHaveLength(6), patient);
  await first.server.close(10);
  // Without a release, its lease would last for half a minute.
  const second = await serve(work);
  second.openAll();
  const { request_counts, output_file_id } = await second.until(id, 'completed');
  expect(request_counts).toEqual({ total: 10, completed: 10, failed: 0 });
  expect(work.linesOf(output_file_id)).toHaveLength(10);
  expect(second.asked.toSorted()).toEqual(['1', '3', '4', '5', '6', '7', '8', '9']);
});

test('a server that stops starts no more lines, and stores the results of running ones', async () => {
  const work = memoryWork();
  const first = await serve(work, { jobTimes: { pollMs: 20, leaseMs: 10_000, renewMs: 400 } });
  const { id } = await first.create(work.input(lines(10)));
  await vi.waitFor(() => expect(first.waiting).toHaveLength(4), patient);
  const closed = first.server.close(60_000);
  const held = work.jobs.get(id)?.due ?? 0;
  // The server keeps its lease in the meantime.
  const second = await serve(work);
  await vi.waitFor(() => expect(work.jobs.get(id)?.due).toBeGreaterThan(held + 300), patient);
  expect(second.asked).toEqual([]);
  first.openAll();
  await closed;
  second.openAll();
  const { request_counts } = await second.until(id, 'completed');
  expect(request_counts).toEqual({ total: 10, completed: 10, failed: 0 });
  expect(first.aborted).toEqual([]);
  expect([...first.asked, ...second.asked].toSorted()).toEqual(lines(10).map((_, n) => String(n)));
});

test('a server that stops does not wait for retries', async () => {
  const work = memoryWork();
  let refuse = (): void => undefined;
  const gate = new Promise<void>((resolve) => (refuse = resolve));
  const busy = scriptedEngine(async function* () {
    await gate;
    yield await Promise.reject(new RequestError('busy', { status: 503, headers: { 'retry-after': '3600' } }));
  });
  const { create, server } = await serve(work, { engines: [busy] });
  const { id } = await create(work.input(lines(6)));
  await vi.waitFor(() => expect(busy.asked).toHaveLength(4), patient);
  const closed = server.close(3_600_000);
  refuse();
  await closed;
  expect(work.jobs.get(id)?.token).toBe('');
  expect(busy.asked).toHaveLength(4);
});

test('a worker that has lost its lease does not change the batch', async () => {
  const work = memoryWork();
  const late = await serve(work, { jobTimes: { pollMs: 20, leaseMs: 100_000, renewMs: 50_000 } });
  const { id } = await late.create(work.input(lines(4)));
  await vi.waitFor(() => expect(late.waiting).toHaveLength(4), patient);
  work.jobs.update(id, { due: 0 });
  const other = await serve(work);
  other.openAll();
  const done = await other.until(id, 'completed');
  const before = work.bytes.size;
  late.openAll();
  // When the worker has stopped, the line has ended.
  await late.server.close(60_000);
  expect(await other.batches.retrieve(id)).toEqual(done);
  expect([work.bytes.size, work.jobs.count()]).toEqual([before, 0]);
});
