import type { Attributes, SpanContext, SpanKind } from '@opentelemetry/api';
import type { TraceContext } from '../trace-context.ts';

/** A span of the OpenTelemetry API, or a recorded span. */
export interface TracingSpan {
  spanContext(): SpanContext;
  /** False for spans that are not sampled. */
  isRecording(): boolean;
  startChild(name: string, init: SpanInit): TracingSpan;
  /** Adds attributes that the span does not have yet. Takes ownership of the object. */
  setAttributes(attributes: Attributes): void;
  /** Sets the status to error. */
  setFailed(): void;
  end(): void;
}

export interface SpanInit {
  /** Default: internal. */
  readonly kind?: SpanKind;
  /** The span takes ownership of the object. */
  readonly attributes?: Attributes;
}

export interface RootSpanInit extends SpanInit {
  /** The trace context of the client. Default: starts a new trace. */
  readonly parent?: TraceContext | undefined;
  /** Another span to which the span is linked. */
  readonly link?: SpanContext | undefined;
}

/** Starts a span without a parent in this process. */
export type StartRootSpan = (name: string, init: RootSpanInit) => TracingSpan;
