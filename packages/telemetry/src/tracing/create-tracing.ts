import { AsyncLocalStorage } from 'node:async_hooks';
import { isSpanContextValid } from '@opentelemetry/api';
import type { Attributes, SpanContext, Tracer } from '@opentelemetry/api';
import type { BatchObservation, ObservedRequest, StorageObserver } from '@modelwire/ports';
import type { NonSkippingObserver } from '../non-skipping-observer.ts';
import { noopObservation } from '../noop-observation.ts';
import { readTraceContext, unsampledTraceparent } from '../trace-context.ts';
import type { TraceContext } from '../trace-context.ts';
import { apiSpanStarter } from './api-span.ts';
import { requestDescription, storageOperationDescription, userAgentAttributes } from './attributes.ts';
import { RequestSpan } from './request-span.ts';
import type { Sampler } from './sampler.ts';
import { SpanDescription } from './span-description.ts';
import { startOperation } from './start-operation.ts';
import type { LazyAttributes, StartRootSpan, TracingSpan } from './tracing-span.ts';
import { UnsampledRequest } from './unsampled-request.ts';

export interface TracingOptions {
  /** A tracer of the OpenTelemetry API. */
  readonly tracer: Tracer;
  /** Decides before a span is created, which costs less. Default: the sampler of the tracer provider decides. */
  readonly sampler?: Sampler | undefined;
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
export function createTracing({ tracer, ...options }: TracingOptions): Tracing {
  return createTracingFrom(apiSpanStarter(tracer), options);
}

/** Like `createTracing`, with any function that starts root spans. */
export function createTracingFrom(
  startRoot: StartRootSpan,
  { sampler, capturesContent = false }: Omit<TracingOptions, 'tracer'>,
): Tracing {
  const current = new AsyncLocalStorage<RequestSpan>();
  /** The spans of running batches by batch ID. The spans of batch lines link to them. */
  const batches = new Map<string, SpanContext>();
  return {
    observer: {
      startRequest(request) {
        const parent = readTraceContext(request.header);
        if (sampler && !sampler.isSampled(parent)) return new UnsampledRequest(parent, sampler.unsampledTraceparent);
        const link = request.batchLine && batches.get(request.batchLine.batch);
        const span = startRequestSpan(startRoot, request, parent, link);
        if (span.isRecording())
          return new RequestSpan(span, { parent, capturesContent, startedAt: request.startedAt, current });
        // Without a tracer provider, spans have no IDs.
        return new UnsampledRequest(parent, () =>
          isSpanContextValid(span.spanContext()) ? unsampledTraceparent(span.traceId, span.spanId) : undefined,
        );
      },
      startBatch: (batch) =>
        sampler && !sampler.isSampled(undefined) ? noopBatchObservation : startBatchSpan(startRoot, batch, batches),
    },
    storage: (storage) => ({
      startOperation(operation) {
        const request = current.getStore();
        // Work that continues after the end of the request is not part of it.
        if (!request || request.hasEnded) return noopObservation;
        return startOperation(request.span, storageOperationDescription(storage, operation));
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
  const attributes: (Attributes | LazyAttributes)[] = [];
  const userAgent = request.header('user-agent');
  if (userAgent !== null) attributes.push(userAgentAttributes(userAgent));
  if (request.batchLine) attributes.push({ 'modelwire.batch.id': request.batchLine.batch });
  if (request.backgroundResponse !== undefined)
    attributes.push({ 'modelwire.response.id': request.backgroundResponse });
  if (request.videoId !== undefined) attributes.push({ 'modelwire.video.id': request.videoId });
  return startRoot(requestDescription(request), { parent, link, attributes, startedAt: request.startedAt });
}

function startBatchSpan(
  startRoot: StartRootSpan,
  { batch, lines }: { readonly batch: string; readonly lines: number },
  running: Map<string, SpanContext>,
): BatchObservation {
  const attributes = { 'modelwire.batch.id': batch, 'modelwire.batch.lines': lines };
  const span = startRoot(() => new SpanDescription('batch', attributes), {});
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

const noopBatchObservation = { lineEnded: () => undefined, end: () => undefined };
