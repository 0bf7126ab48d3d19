import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import type { Blobs } from '@modelwire/ports';
import { createStorageMetrics, observeBlobs } from './storage-metrics.ts';

async function* bytes(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(3);
}

test('measures the duration of blob operations and counts failures', async () => {
  const registry = new Registry();
  const failing: Blobs = {
    write: async () => 3,
    read: bytes,
    remove: () => Promise.reject(new Error('disk error')),
    check: async () => undefined,
    close: async () => undefined,
  };
  const blobs = observeBlobs(failing, createStorageMetrics(registry)('files'));
  expect(await blobs.write('blob_1', bytes())).toBe(3);
  const read: Uint8Array[] = [];
  for await (const piece of blobs.read('blob_1')) read.push(piece);
  expect(read).toEqual([new Uint8Array(3)]);
  await expect(blobs.remove(['blob_1'])).rejects.toThrow('disk error');
  const text = await registry.metrics();
  for (const operation of ['write', 'read', 'remove']) {
    expect(text).toContain(
      `modelwire_storage_operation_duration_seconds_count{storage="files",operation="${operation}"} 1`,
    );
  }
  expect(text).toContain('modelwire_storage_errors_total{storage="files",operation="remove",reason="failed"} 1');
});
