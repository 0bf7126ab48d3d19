import { defaultResource } from '@opentelemetry/resources';
import { expect, test } from 'vitest';
import { recordedSpanStarter } from './recorded-span.ts';
import { createSampler } from './sampler.ts';
import { SpanDescription } from './span-description.ts';
import { SpanQueue } from './span-queue.ts';
import type { SpanBatch } from './span-queue.ts';

test('close waits for the export of all batches, those that wait for an earlier one included', async () => {
  const exports: { readonly batch: SpanBatch; readonly end: () => void }[] = [];
  const queue = new SpanQueue({
    encoder: { add: () => undefined, take: () => new Uint8Array() },
    limits: { maxExportBatchSize: 1, maxQueueSize: 100, scheduledDelayMillis: 60_000, exportTimeoutMillis: 60_000 },
    exportBatch: (batch) => new Promise((end) => exports.push({ batch, end: () => end() })),
  });
  const startRoot = recordedSpanStarter({
    resource: defaultResource(),
    instrumentationScope: { name: 'test' },
    idGenerator: createSampler('always_on', 1).idGenerator,
    onEnd: (span) => queue.add(span),
  });
  for (let sent = 0; sent < 10; sent++) startRoot(() => new SpanDescription('GET'), {}).end();
  expect(exports).toHaveLength(1);
  let isClosed = false;
  const closed = queue.close().then(() => (isClosed = true));
  // The first one was in progress. When it ends, the queue must not start another one that `close` does not wait for.
  exports[0]?.end();
  await new Promise(setImmediate);
  const last = exports.length;
  for (let ended = 0; ended < 10; ended++) {
    if (ended !== last - 1) exports[ended]?.end();
    await new Promise(setImmediate);
  }
  expect(isClosed).toBe(false);
  exports[last - 1]?.end();
  await closed;
  expect(exports.map(({ batch }) => batch.spans)).toEqual(Array.from({ length: 10 }, () => 1));
});
