import { createTraceState, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Context, Span, SpanContext, Tracer } from '@opentelemetry/api';
import type { TraceContext } from '../trace-context.ts';
import type { SpanInit, StartRootSpan, TracingSpan } from './tracing-span.ts';

/** Returns a function that starts spans with a tracer of the OpenTelemetry API. */
export function apiSpanStarter(tracer: Tracer): StartRootSpan {
  return (name, { parent, link, ...init }) => {
    const options = link ? { ...init, links: [{ context: link }] } : init;
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, remoteSpanContext(parent)) : ROOT_CONTEXT;
    return new ApiSpan(tracer, tracer.startSpan(name, options, context));
  };
}

/** Converts the trace context of a client to a span context. */
export function remoteSpanContext({ traceId, spanId, isSampled, traceState }: TraceContext): SpanContext {
  return {
    traceId,
    spanId,
    traceFlags: isSampled ? 1 : 0,
    isRemote: true,
    ...(traceState !== undefined && { traceState: createTraceState(traceState) }),
  };
}

class ApiSpan implements TracingSpan {
  readonly #tracer: Tracer;
  readonly #span: Span;
  /** The context in which children are started. */
  #childContext: Context | undefined = undefined;

  constructor(tracer: Tracer, span: Span) {
    this.#tracer = tracer;
    this.#span = span;
  }

  spanContext(): SpanContext {
    return this.#span.spanContext();
  }

  isRecording(): boolean {
    return this.#span.isRecording();
  }

  startChild(name: string, init: SpanInit): TracingSpan {
    this.#childContext ??= trace.setSpan(ROOT_CONTEXT, this.#span);
    return new ApiSpan(this.#tracer, this.#tracer.startSpan(name, init, this.#childContext));
  }

  setAttributes(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  setFailed(): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }
}
