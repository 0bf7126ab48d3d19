import { createTraceState, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Attributes, Context, Span, SpanContext, SpanOptions, Tracer } from '@opentelemetry/api';
import type { TraceContext } from '../trace-context.ts';
import { SharedAttributes } from './span-description.ts';
import type { SpanDescription } from './span-description.ts';
import type { LazyDescription, LazyAttributes, StartRootSpan, TracingSpan } from './tracing-span.ts';

/** Returns a function that starts spans with a tracer of the OpenTelemetry API. */
export function apiSpanStarter(tracer: Tracer): StartRootSpan {
  return (describe, { parent, link, attributes = [] }) => {
    const description = describe();
    const options = optionsOf(description);
    options.attributes = Object.assign({}, options.attributes, ...attributes.map(valuesOf)) as Attributes;
    if (link) options.links = [{ context: link }];
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, remoteSpanContext(parent)) : ROOT_CONTEXT;
    return new ApiSpan(tracer, tracer.startSpan(description.name, options, context));
  };
}

function optionsOf({ kind, attributes }: SpanDescription): SpanOptions {
  return { kind, attributes: { ...attributes } };
}

function valuesOf(given: Attributes | LazyAttributes): Attributes {
  const attributes = typeof given === 'function' ? given() : given;
  // Copied, because span processors can modify the attributes of a span.
  return attributes instanceof SharedAttributes ? { ...attributes.values } : attributes;
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

  get traceId(): string {
    return this.#span.spanContext().traceId;
  }

  get spanId(): string {
    return this.#span.spanContext().spanId;
  }

  isRecording(): boolean {
    return this.#span.isRecording();
  }

  startChild(describe: LazyDescription): TracingSpan {
    const description = describe();
    this.#childContext ??= trace.setSpan(ROOT_CONTEXT, this.#span);
    const span = this.#tracer.startSpan(description.name, optionsOf(description), this.#childContext);
    return new ApiSpan(this.#tracer, span);
  }

  setAttributes(attributes: Attributes | LazyAttributes): void {
    this.#span.setAttributes(valuesOf(attributes));
  }

  setFailed(): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
  }

  end(): void {
    this.#span.end();
  }
}
