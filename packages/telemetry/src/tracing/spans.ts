import { createTraceState, isSpanContextValid, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Span, SpanOptions, Tracer } from '@opentelemetry/api';
import type { Observation, OperationOutcome } from '@modelwire/ports';
import { isClientDisconnect } from '../observed.ts';
import { traceHeaders } from '../trace-context.ts';
import type { TraceContext } from '../trace-context.ts';
import type { SpanDescription } from './attributes.ts';

/** Starts the span of work that a client asked for: a child of the span of the client, if it sent a trace context. */
export function startRootSpan(
  tracer: Tracer,
  { name, ...options }: SpanDescription & Pick<SpanOptions, 'links' | 'startTime'>,
  parent?: TraceContext,
): Span {
  return tracer.startSpan(name, options, parent ? remoteContext(parent) : ROOT_CONTEXT);
}

export function startChildSpan(tracer: Tracer, parent: Span, { name, ...options }: SpanDescription): Span {
  return tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
}

function remoteContext({ traceId, spanId, isSampled, traceState }: TraceContext) {
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? 1 : 0,
    isRemote: true,
    ...(traceState !== undefined && { traceState: createTraceState(traceState) }),
  });
}

/** The headers that make the work of an upstream a child of the span; none if there is no tracer provider, which would give the span its IDs. */
export function headersOf(span: Span, traceState: string | undefined): Readonly<Record<string, string>> {
  const context = span.spanContext();
  if (!isSpanContextValid(context)) return {};
  return traceHeaders({ traceId: context.traceId, spanId: context.spanId, isSampled: span.isRecording(), traceState });
}

/** Starts the span of an operation. Its status is set to error if the operation fails. */
export function startOperation(
  tracer: Tracer,
  parent: Span,
  description: SpanDescription,
): Observation<OperationOutcome> & { readonly span: Span } {
  const span = startChildSpan(tracer, parent, description);
  return {
    span,
    end({ error }) {
      if (error !== undefined) setError(span, error);
      span.end();
    },
  };
}

/** Sets the status of a span to error, and its error type. Does not record the message, which can contain data of the client. */
export function setError(span: Span, error: unknown): void {
  if (isClientDisconnect(error)) {
    span.setAttribute('modelwire.aborted', true);
    return;
  }
  span.setAttribute('error.type', errorType(error));
  setFailed(span);
}

export function setFailed(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' && /^\w{1,64}$/.test(error.code) ? error.code : error.name;
}
