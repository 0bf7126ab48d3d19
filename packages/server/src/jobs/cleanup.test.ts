import { expect, test, vi } from 'vitest';
import { startCleanup } from './cleanup.ts';
import { resolveOptions } from '../options/options.ts';
import { memoryWork } from '../testing/memory-work.ts';

test('due bytes and their keys are removed, all others stay', async () => {
  const { stores, blobs, bytes, reserved } = memoryWork();
  const keys = Array.from({ length: 1200 }, (_, n) => `blob_${n}`);
  for (const key of [...keys, 'blob_later', 'blob_kept']) bytes.set(key, Buffer.of());
  for (const key of keys) reserved.set(key, Date.now() - 1);
  reserved.set('blob_later', Date.now() + 60_000);
  // Already removed by an earlier run that did not forget its key.
  reserved.set('blob_gone', 0);
  const stopCleanup = startCleanup(resolveOptions({ engines: [], keys: 'open', stores, blobs }));
  await expect.poll(() => [...reserved.keys()]).toEqual(['blob_later']);
  await stopCleanup();
  expect([...bytes.keys()]).toEqual(['blob_later', 'blob_kept']);
});

test('keys whose bytes could not be removed are kept', async () => {
  const { stores, blobs, reserved } = memoryWork();
  reserved.set('blob_a', 0);
  const report = vi.fn();
  const broken = { ...blobs, remove: () => Promise.reject(new Error('read-only')) };
  const stopCleanup = startCleanup(resolveOptions({ engines: [], keys: 'open', stores, blobs: broken, report }));
  await expect.poll(() => report.mock.calls.length).toBe(1);
  await stopCleanup();
  expect([...reserved.keys()]).toEqual(['blob_a']);
});

test('bytes that cannot be removed do not block others; they are reported once and retried after an hour', async () => {
  const { stores, blobs, bytes, reserved } = memoryWork();
  const keys = Array.from({ length: 1200 }, (_, n) => `blob_${n}`);
  for (const key of keys) {
    bytes.set(key, Buffer.of());
    reserved.set(key, 0);
  }
  const report = vi.fn();
  const stuck = 'blob_7';
  const remove = (some: readonly string[]) =>
    some.includes(stuck) ? Promise.reject(new Error('locked')) : blobs.remove(some);
  const before = Date.now();
  const options = resolveOptions({ engines: [], keys: 'open', stores, blobs: { ...blobs, remove }, report });
  const stopCleanup = startCleanup(options);
  await expect.poll(() => [...reserved.keys()]).toEqual([stuck]);
  await expect.poll(() => report.mock.calls.length).toBe(1);
  await stopCleanup();
  expect(report).toHaveBeenCalledWith(expect.stringContaining(stuck), new Error('locked'));
  expect(reserved.get(stuck)).toBeGreaterThanOrEqual(before + 3_600_000);
  expect([...bytes.keys()]).toEqual([stuck]);
});

test('if nothing can be removed, a few keys are tried and the others stay due', async () => {
  const { stores, blobs, reserved } = memoryWork();
  for (let n = 0; n < 500; n++) reserved.set(`blob_${n}`, 0);
  const report = vi.fn();
  const remove = vi.fn(() => Promise.reject(new Error('read-only')));
  const options = resolveOptions({ engines: [], keys: 'open', stores, blobs: { ...blobs, remove }, report });
  const stopCleanup = startCleanup(options);
  await expect.poll(() => report.mock.calls.length).toBe(5);
  await stopCleanup();
  expect(remove).toHaveBeenCalledTimes(6);
  expect([...reserved.values()].filter((due) => due === 0)).toHaveLength(495);
});

test('stop waits for the current run, and starts no other', async () => {
  const { stores, blobs, reserved } = memoryWork();
  for (let n = 0; n < 1200; n++) reserved.set(`blob_${n}`, 0);
  const removing = Promise.withResolvers<undefined>();
  const remove = vi.fn(() => removing.promise);
  const options = resolveOptions({ engines: [], keys: 'open', stores, blobs: { ...blobs, remove } });
  const stopCleanup = startCleanup(options);
  await expect.poll(() => remove.mock.calls.length).toBe(1);
  const stopped = vi.fn();
  const stopping = stopCleanup().then(stopped);
  await new Promise((resolve) => setImmediate(resolve));
  expect(stopped).not.toHaveBeenCalled();
  removing.resolve(undefined);
  await stopping;
  expect(remove).toHaveBeenCalledOnce();
  expect(reserved.size).toBe(700);
});

test('while the blob storage is unavailable, all keys stay due and none is postponed', async () => {
  const { stores, blobs, bytes, reserved } = memoryWork();
  for (let n = 0; n < 20; n++) {
    reserved.set(`blob_${n}`, 0);
    bytes.set(`blob_${n}`, Buffer.of());
  }
  const report = vi.fn();
  const outage = Object.assign(new Error('down'), { outage: { dependency: 's3', cause: 'connection refused' } });
  const remove = vi.fn(() => Promise.reject(outage));
  const down = startCleanup(resolveOptions({ engines: [], keys: 'open', stores, blobs: { ...blobs, remove }, report }));
  await expect.poll(() => report.mock.calls.length).toBe(1);
  await down();
  expect(remove).toHaveBeenCalledTimes(1);
  expect([...reserved.values()]).toEqual(Array.from({ length: 20 }, () => 0));
  const up = startCleanup(resolveOptions({ engines: [], keys: 'open', stores, blobs }));
  await expect.poll(() => bytes.size).toBe(0);
  await up();
});
