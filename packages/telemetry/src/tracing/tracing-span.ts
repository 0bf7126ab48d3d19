import type { Attributes, SpanContext, SpanKind } from '@opentelemetry/api';
import type { TraceContext } from '../trace-context.ts';

/** A span that has started. */
export interface TracingSpan {
  spanContext(): SpanContext;
  /** False for spans that are not sampled: nothing is recorded. */
  isRecording(): boolean;
  startChild(name: string, init: SpanInit): TracingSpan;
  /** Adds attributes that the span does not have yet. It keeps the object. */
  setAttributes(attributes: Attributes): void;
  /** Sets the status to error. */
  setFailed(): void;
  end(): void;
}

export interface SpanInit {
  /** Default: internal. */
  readonly kind?: SpanKind;
  /** The span keeps the object. */
  readonly attributes?: Attributes;
}

export interface RootSpanInit extends SpanInit {
  /** The caller's position in its trace; undefined begins a trace. */
  readonly parent?: TraceContext | undefined;
  /** Another span that the span is related to. */
  readonly link?: SpanContext | undefined;
}

/** Starts a span that has no parent in this process. */
export type StartRootSpan = (name: string, init: RootSpanInit) => TracingSpan;
