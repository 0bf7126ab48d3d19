import type { Attributes, SpanContext } from '@opentelemetry/api';
import type { TraceContext } from '../trace-context.ts';
import type { SharedAttributes, SpanDescription } from './span-description.ts';

/** A span of the OpenTelemetry API, or a recorded span. */
export interface TracingSpan {
  readonly traceId: string;
  readonly spanId: string;
  spanContext(): SpanContext;
  /** False for spans that are not sampled. */
  isRecording(): boolean;
  startChild(describe: LazyDescription): TracingSpan;
  /** Adds attributes that the span does not have yet. An object must not be modified afterwards. */
  setAttributes(attributes: Attributes | LazyAttributes): void;
  /** Sets the status to error. */
  setFailed(): void;
  /** @param endedAt In milliseconds on the clock of `performance.now()`. Default: now. Spans of the OpenTelemetry API ignore it. */
  end(endedAt?: number): void;
}

/** Returns the description of a span. It may be called after the span has ended, so it must not retain messages or other large values. */
export type LazyDescription = () => SpanDescription;
/** Returns attributes of a span. It may be called after the span has ended, so it must not retain large values. */
export type LazyAttributes = () => Attributes | SharedAttributes;

export interface RootSpanInit {
  /** The trace context of the client. Default: starts a new trace. */
  readonly parent?: TraceContext | undefined;
  /** Another span to which the span is linked. */
  readonly link?: SpanContext | undefined;
  /** Further attributes that the span has from its start, which samplers can read. */
  readonly attributes?: readonly (Attributes | LazyAttributes)[] | undefined;
  /** The start in milliseconds on the clock of `performance.now()`. Default: now. Spans of the OpenTelemetry API ignore it. */
  readonly startedAt?: number | undefined;
}

/** Starts a span without a parent in this process. */
export type StartRootSpan = (describe: LazyDescription, init: RootSpanInit) => TracingSpan;
