import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Attributes, HrTime, Link, SpanContext, SpanStatus } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { remoteSpanContext } from './api-span.ts';
import type { Sampler } from './sampler.ts';
import type { SpanInit, StartRootSpan, TracingSpan } from './tracing-span.ts';

export interface RecorderOptions {
  readonly resource: Resource;
  readonly instrumentationScope: ReadableSpan['instrumentationScope'];
  readonly idGenerator: Sampler['idGenerator'];
  /** Called with each span when it ends. */
  readonly onEnd: (span: ReadableSpan) => void;
}

/**
 * Returns a function that starts spans without the OpenTelemetry SDK. All of them are sampled, and their attributes are not validated. The spans
 * of the SDK take several times the CPU time: they validate, copy and limit attributes, and need a context for each child.
 */
export function recordedSpanStarter(options: RecorderOptions): StartRootSpan {
  return (name, init) => {
    const { parent, link } = init;
    const parentSpanContext = parent && remoteSpanContext(parent);
    return new RecordedSpan(name, init, {
      options,
      traceId: parentSpanContext?.traceId ?? options.idGenerator.generateTraceId(),
      parentSpanContext,
      links: link ? [{ context: link }] : noLinks,
      clockOffsetMs: Date.now() - performance.now(),
    });
  };
}

interface RecordedSpanInit {
  readonly options: RecorderOptions;
  readonly traceId: string;
  readonly parentSpanContext: SpanContext | undefined;
  readonly links: Link[];
  /** The offset in milliseconds from `performance.now()` to the system clock. The same in all spans of a trace, so that children are within their parents. */
  readonly clockOffsetMs: number;
}

const noLinks: Link[] = [];
const noEvents: ReadableSpan['events'] = [];
const unset: SpanStatus = { code: SpanStatusCode.UNSET };
const failed: SpanStatus = { code: SpanStatusCode.ERROR };

export class RecordedSpan implements TracingSpan, ReadableSpan {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parentSpanContext?: SpanContext;
  /** The attributes in the order in which they were set. Merging them into one object would take longer than serializing them. */
  readonly attributeSets: Attributes[];
  readonly links: Link[];
  readonly events = noEvents;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  status = unset;
  ended = false;
  readonly #options: RecorderOptions;
  readonly #context: SpanContext;
  readonly #clockOffsetMs: number;
  /** By `performance.now()`. */
  readonly #startedAt = performance.now();
  #endedAt = 0;

  constructor(name: string, { kind, attributes }: SpanInit, init: RecordedSpanInit) {
    const { options, traceId, parentSpanContext, links, clockOffsetMs } = init;
    this.name = name;
    this.kind = kind ?? SpanKind.INTERNAL;
    this.attributeSets = attributes ? [attributes] : [];
    this.links = links;
    if (parentSpanContext) this.parentSpanContext = parentSpanContext;
    const traceState = parentSpanContext?.traceState;
    const spanId = options.idGenerator.generateSpanId();
    this.#context = traceState ? { traceId, spanId, traceFlags: 1, traceState } : { traceId, spanId, traceFlags: 1 };
    this.#options = options;
    this.#clockOffsetMs = clockOffsetMs;
  }

  get attributes(): Attributes {
    return Object.assign({}, ...this.attributeSets) as Attributes;
  }

  get resource(): Resource {
    return this.#options.resource;
  }

  get instrumentationScope(): ReadableSpan['instrumentationScope'] {
    return this.#options.instrumentationScope;
  }

  get startTime(): HrTime {
    return hrTime(this.#startedAt + this.#clockOffsetMs);
  }

  get endTime(): HrTime {
    return hrTime(this.#endedAt + this.#clockOffsetMs);
  }

  get duration(): HrTime {
    return hrTime(this.#endedAt - this.#startedAt);
  }

  spanContext(): SpanContext {
    return this.#context;
  }

  isRecording(): boolean {
    return !this.ended;
  }

  startChild(name: string, init: SpanInit): TracingSpan {
    return new RecordedSpan(name, init, {
      options: this.#options,
      traceId: this.#context.traceId,
      parentSpanContext: this.#context,
      links: noLinks,
      clockOffsetMs: this.#clockOffsetMs,
    });
  }

  setAttributes(attributes: Attributes): void {
    if (!this.ended) this.attributeSets.push(attributes);
  }

  setFailed(): void {
    if (!this.ended) this.status = failed;
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.#endedAt = performance.now();
    this.#options.onEnd(this);
  }
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  const nanoseconds = Math.round((ms - seconds * 1000) * 1e6);
  return nanoseconds === 1e9 ? [seconds + 1, 0] : [seconds, nanoseconds];
}
