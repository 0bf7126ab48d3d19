import type { Attributes, SpanContext } from '@opentelemetry/api';
import type { TraceContext } from '../trace-context.ts';
import type { SharedAttributes, SpanDescription } from './span-description.ts';

/** A span of the OpenTelemetry API, or a recorded span. */
export interface TracingSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** False for spans that are not sampled. */
  isRecording(): boolean;
  /** @param describe Can be called after the span has ended. It must not hold messages or other large values. */
  startChild(describe: Describe): TracingSpan;
  /** Adds attributes that the span does not have yet. Takes ownership of the object. */
  setAttributes(attributes: Attributes | ReadAttributes): void;
  /** Sets the status to error. */
  setFailed(): void;
  /** @param endedAt By `performance.now()`. Default: now. */
  end(endedAt?: number): void;
}

/** Describes a span. */
export type Describe = () => SpanDescription;
/** Returns attributes of a span. Like `Describe`, it can be called after the span has ended, and must not hold large values. */
export type ReadAttributes = () => Attributes | SharedAttributes;

export interface RootSpanInit {
  /** The trace context of the client. Default: starts a new trace. */
  readonly parent?: TraceContext | undefined;
  /** Another span to which the span is linked. */
  readonly link?: SpanContext | undefined;
  /** By `performance.now()`. Default: now. */
  readonly startedAt?: number | undefined;
}

/** Starts a span without a parent in this process. */
export type StartRootSpan = (describe: Describe, init: RootSpanInit) => TracingSpan;
