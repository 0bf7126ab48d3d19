import { expect, test, vi } from 'vitest';
import { startRemoval } from './removal.ts';
import { resolveOptions } from './options.ts';
import { memoryBytes } from './testing/memory-bytes.ts';

test('bytes whose time has come are removed and then forgotten, all others stay', async () => {
  const { stores, blobs, bytes, reserved } = memoryBytes();
  const keys = Array.from({ length: 1200 }, (_, n) => `blob_${n}`);
  for (const key of [...keys, 'blob_later', 'blob_kept']) bytes.set(key, Buffer.of());
  for (const key of keys) reserved.set(key, Date.now() - 1);
  reserved.set('blob_later', Date.now() + 60_000);
  // Not there any more: removed before, and not forgotten since.
  reserved.set('blob_gone', 0);
  const removal = startRemoval(resolveOptions({ engines: [], keys: 'open', stores, blobs }));
  await vi.waitFor(() => expect([...reserved.keys()]).toEqual(['blob_later']));
  removal.stop();
  expect([...bytes.keys()]).toEqual(['blob_later', 'blob_kept']);
});

test('what could not be removed is not forgotten', async () => {
  const { stores, blobs, reserved } = memoryBytes();
  reserved.set('blob_a', 0);
  const report = vi.fn();
  const broken = { ...blobs, remove: () => Promise.reject(new Error('read-only')) };
  const removal = startRemoval(resolveOptions({ engines: [], keys: 'open', stores, blobs: broken, report }));
  await vi.waitFor(() => expect(report).toHaveBeenCalledOnce());
  removal.stop();
  expect([...reserved.keys()]).toEqual(['blob_a']);
});
