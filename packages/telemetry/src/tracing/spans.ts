import { createTraceState, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span, SpanOptions, Tracer } from '@opentelemetry/api';
import type { Failable, Observation } from '@modelwire/ports';
import type { TraceContext } from '../trace-context.ts';

/** The context of spans that continue the trace of a caller, or begin one. */
export function parentContext(parent: TraceContext | undefined): Context {
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled, traceState } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: isSampled ? 1 : 0,
    isRemote: true,
    ...(traceState !== undefined && { traceState: createTraceState(traceState) }),
  });
}

/** The context of children of a span. */
export function childContext(span: Span): Context {
  return trace.setSpan(ROOT_CONTEXT, span);
}

/** Starts a span, which is marked as failed if the observed operation fails. */
export function startChild(
  tracer: Tracer,
  name: string,
  parent: Context,
  options: SpanOptions,
): Observation<Failable> & { readonly span: Span } {
  const span = tracer.startSpan(name, options, parent);
  return {
    span,
    end({ error }) {
      if (error !== undefined) setError(span, error);
      span.end();
    },
  };
}

/** Marks a span as failed, without the message of the error: it may quote the caller. */
export function setError(span: Span, error: unknown): void {
  const type = errorType(error);
  if (type === 'client_disconnected') {
    // A client that disconnects is not an error.
    span.setAttribute('modelwire.aborted', true);
    return;
  }
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function errorType(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER';
  return 'code' in error && typeof error.code === 'string' && /^\w{1,64}$/.test(error.code) ? error.code : error.name;
}
