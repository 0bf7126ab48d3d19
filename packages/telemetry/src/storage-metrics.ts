import type { Blobs, StorageObserver } from '@modelwire/ports';
import { observeOperation } from '@modelwire/adapter-kit';
import { isStorageUnavailable } from '@modelwire/ports';
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { histogramBuckets } from './histogram-buckets.ts';

/** Returns a function that creates the observer of a storage by its name, such as `sqlite` or `s3`. */
export function createStorageMetrics(registry: Registry): (storage: string) => StorageObserver {
  const registers = [registry];
  const duration = new Histogram({
    name: 'modelwire_storage_operation_duration_seconds',
    help: 'Duration of storage operations.',
    labelNames: ['storage', 'operation'],
    buckets: histogramBuckets.storage,
    registers,
  });
  const errors = new Counter({
    name: 'modelwire_storage_errors_total',
    help: 'Storage operations that failed. reason is unavailable if the storage could not be used, otherwise failed.',
    labelNames: ['storage', 'operation', 'reason'],
    registers,
  });
  return (storage) => ({
    startOperation(operation) {
      const startedAt = performance.now();
      return {
        end({ error }) {
          duration.observe({ storage, operation }, (performance.now() - startedAt) / 1000);
          if (error === undefined) return;
          errors.inc({ storage, operation, reason: isStorageUnavailable(error) ? 'unavailable' : 'failed' });
        },
      };
    },
  });
}

/** Wraps a blob adapter so that its writes, reads and removals are observed. */
export function observeBlobs(blobs: Blobs, observer: StorageObserver): Blobs {
  return {
    ...(blobs.isEmpty && { isEmpty: blobs.isEmpty }),
    write: (key, bytes, init) => observeOperation(observer, 'write', () => blobs.write(key, bytes, init)),
    async *read(key, range, options) {
      const observation = observer.startOperation('read');
      let error: unknown;
      try {
        yield* blobs.read(key, range, options);
      } catch (thrown) {
        error = thrown;
        throw thrown;
      } finally {
        observation.end({ error });
      }
    },
    remove: (keys) => observeOperation(observer, 'remove', () => blobs.remove(keys)),
    check: () => blobs.check(),
    close: () => blobs.close(),
  };
}
