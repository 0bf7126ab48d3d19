import { AsyncLocalStorage } from 'node:async_hooks';
import type { SpanContext, Tracer } from '@opentelemetry/api';
import type { BatchObservation, StorageObserver } from '@modelwire/ports';
import { noopObservation } from '../observed.ts';
import type { NonSkippingObserver } from '../observed.ts';
import { readTraceContext } from '../trace-context.ts';
import { requestDescription, storageOperationDescription } from './attributes.ts';
import { RequestSpan } from './request-span.ts';
import { headersOf, startOperation, startRootSpan } from './spans.ts';
import { UnsampledRequest } from './unsampled-request.ts';

export interface TracingOptions {
  /** A tracer of the OpenTelemetry API. */
  readonly tracer: Tracer;
  /** Whether spans of generations contain the messages of requests and replies, which can be personal or confidential. Default false. */
  readonly capturesContent?: boolean | undefined;
}

export interface Tracing {
  readonly observer: NonSkippingObserver;
  /** Creates the observer of a storage, such as `sqlite`. Its operations are child spans of the request that they belong to. */
  readonly storage: (name: string) => StorageObserver;
}

/**
 * Creates observers that record spans of requests and their parts: queueing, generations, requests to upstreams, storage operations,
 * moderation and tools. The trace contexts of clients are continued and propagated to upstreams, even if a request is not sampled.
 */
export function createTracing({ tracer, capturesContent = false }: TracingOptions): Tracing {
  const current = new AsyncLocalStorage<RequestSpan>();
  /** The spans of running batches by batch ID. The spans of batch lines link to them. */
  const batches = new Map<string, SpanContext>();
  return {
    observer: {
      startRequest(request) {
        const parent = readTraceContext(request.header);
        const link = request.batchLine && batches.get(request.batchLine.batch);
        const startTime = Date.now() - (performance.now() - request.startedAt);
        const init = { ...requestDescription(request), startTime, ...(link && { links: [{ context: link }] }) };
        const span = startRootSpan(tracer, init, parent);
        const traceState = parent?.traceState;
        return span.isRecording()
          ? new RequestSpan(span, { tracer, traceState, capturesContent, current })
          : new UnsampledRequest(headersOf(span, traceState));
      },
      startBatch: (batch) => startBatchSpan(tracer, batch, batches),
    },
    storage: (storage) => ({
      startOperation(operation) {
        const request = current.getStore();
        // Work that continues after the end of the request is not part of it.
        if (!request || request.hasEnded) return noopObservation;
        return startOperation(tracer, request.span, storageOperationDescription(storage, operation));
      },
    }),
  };
}

function startBatchSpan(
  tracer: Tracer,
  { batch, lines }: { readonly batch: string; readonly lines: number },
  running: Map<string, SpanContext>,
): BatchObservation {
  const attributes = { 'modelwire.batch.id': batch, 'modelwire.batch.lines': lines };
  const span = startRootSpan(tracer, { name: 'batch', attributes });
  running.set(batch, span.spanContext());
  const counts = { completed: 0, failed: 0 };
  return {
    lineEnded(outcome) {
      counts[outcome]++;
    },
    end() {
      running.delete(batch);
      span.setAttributes({
        'modelwire.batch.lines.completed': counts.completed,
        'modelwire.batch.lines.failed': counts.failed,
      });
      span.end();
    },
  };
}
