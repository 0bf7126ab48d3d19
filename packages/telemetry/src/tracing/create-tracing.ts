import { AsyncLocalStorage } from 'node:async_hooks';
import { SpanKind } from '@opentelemetry/api';
import type { SpanContext, Tracer } from '@opentelemetry/api';
import type { BatchObservation, ObservedRequest, Observer, StorageObserver } from '@modelwire/ports';
import { notObserved } from '../not-observed.ts';
import { readTraceContext } from '../trace-context.ts';
import type { TraceContext } from '../trace-context.ts';
import { apiSpans } from './api-span.ts';
import { methodOf, requestAttributes, storageAttributes } from './attributes.ts';
import { RequestSpan } from './request-span.ts';
import type { Sampling } from './sampling.ts';
import { startOperation } from './start-operation.ts';
import type { StartRootSpan, TracingSpan } from './tracing-span.ts';
import { UntracedRequest } from './untraced-request.ts';

export interface TracingOptions {
  /** Of the OpenTelemetry API. */
  readonly tracer: Tracer;
  /** Decides before a span is created, which costs less. Default: the sampler of the tracer's provider decides. */
  readonly sampling?: Sampling | undefined;
  /** Whether spans of generations have the messages of requests and replies, which may be personal or confidential. Default false. */
  readonly capturesContent?: boolean | undefined;
}

export interface Tracing {
  readonly observer: Observer;
  /** The observer of a storage, such as `sqlite`: its operations are spans of the request that they are for. */
  readonly storage: (name: string) => StorageObserver;
}

/**
 * Spans of requests and their parts: queueing, generations, requests to upstreams, storage operations, moderation and tools. Trace
 * contexts of callers are continued, and passed on to upstreams, also of requests that are not sampled.
 */
export function createTracing({ tracer, ...options }: TracingOptions): Tracing {
  return createTracingOf(apiSpans(tracer), options);
}

/** The same with spans of another kind. */
export function createTracingOf(
  startRoot: StartRootSpan,
  { sampling, capturesContent = false }: Omit<TracingOptions, 'tracer'>,
): Tracing {
  const current = new AsyncLocalStorage<RequestSpan>();
  /** The spans of the batches that this server runs, which the spans of their lines link to. */
  const batches = new Map<string, SpanContext>();
  return {
    observer: {
      startRequest(request) {
        const parent = readTraceContext(request.header);
        if (sampling && !sampling.isSampled(parent)) return new UntracedRequest(parent, sampling.unsampledTraceId);
        const link = request.batchLine && batches.get(request.batchLine.batch);
        const span = startRequestSpan(startRoot, request, parent, link);
        if (span.isRecording()) return new RequestSpan(span, { parent, capturesContent, current });
        return new UntracedRequest(parent, () => span.spanContext().traceId);
      },
      startBatch: (batch) =>
        sampling && !sampling.isSampled(undefined) ? batchNotObserved : startBatchSpan(startRoot, batch, batches),
    },
    storage: (storage) => ({
      startOperation(operation) {
        const request = current.getStore();
        // Work that continues after the request has ended is not part of it.
        if (!request || request.hasEnded) return notObserved;
        const attributes = storageAttributes(storage, operation);
        return startOperation(request.span, `${storage} ${operation}`, { attributes });
      },
    }),
  };
}

function startRequestSpan(
  startRoot: StartRootSpan,
  request: ObservedRequest,
  parent: TraceContext | undefined,
  link: SpanContext | undefined,
): TracingSpan {
  const { route, batchLine } = request;
  const method = methodOf(request.method);
  const attributes = requestAttributes(request);
  if (batchLine) attributes['modelwire.batch.id'] = batchLine.batch;
  // Lines of batches are requests of the server to itself.
  const kind = batchLine ? SpanKind.INTERNAL : SpanKind.SERVER;
  return startRoot(route === undefined ? method : `${method} ${route}`, { kind, attributes, parent, link });
}

function startBatchSpan(
  startRoot: StartRootSpan,
  { batch, lines }: { readonly batch: string; readonly lines: number },
  running: Map<string, SpanContext>,
): BatchObservation {
  const attributes = { 'modelwire.batch.id': batch, 'modelwire.batch.lines': lines };
  const span = startRoot('batch', { attributes });
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

const batchNotObserved = { lineEnded: () => undefined, end: () => undefined };
