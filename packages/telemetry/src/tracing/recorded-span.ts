import { createTraceState, SpanStatusCode } from '@opentelemetry/api';
import type { Attributes, HrTime, Link, SpanContext, SpanKind, SpanStatus, TraceState } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { remoteSpanContext } from './api-span.ts';
import type { Sampler } from './sampler.ts';
import { SharedAttributes } from './span-description.ts';
import type { SpanDescription } from './span-description.ts';
import type { Describe, ReadAttributes, StartRootSpan, TracingSpan } from './tracing-span.ts';

export interface RecorderOptions {
  readonly resource: Resource;
  readonly instrumentationScope: ReadableSpan['instrumentationScope'];
  readonly idGenerator: Sampler['idGenerator'];
  /** Called with each span when it ends. */
  readonly onEnd: (span: RecordedSpan) => void;
}

/**
 * Returns a function that starts spans without the OpenTelemetry SDK. All of them are sampled, and their attributes are not validated. The spans
 * of the SDK take several times the CPU time: they validate, copy and limit attributes, and need a context for each child.
 */
export function recordedSpanStarter(options: RecorderOptions): StartRootSpan {
  const clockOffset = createClockOffset();
  return (describe, { parent, link, startedAt = performance.now() }) => {
    const trace: Trace = {
      options,
      id: parent?.traceId ?? options.idGenerator.generateTraceId(),
      state: parent?.traceState === undefined ? undefined : createTraceState(parent.traceState),
      clockOffsetMs: clockOffset(startedAt),
      links: link ? [{ context: link }] : noLinks,
    };
    return new RecordedSpan(trace, describe, parent && remoteSpanContext(parent), startedAt);
  };
}

interface Trace {
  readonly options: RecorderOptions;
  readonly id: string;
  readonly state: TraceState | undefined;
  /** The offset in milliseconds from `performance.now()` to the system clock. The same in all spans of a trace, so that children are within their parents. */
  readonly clockOffsetMs: number;
  /** Those of the root span. */
  readonly links: Link[];
}

const clockOffsetMaxAgeMs = 1000;

/** Returns a function that returns the offset from `performance.now()` to the system clock. It reads the clock once per second. */
function createClockOffset(): (now: number) => number {
  let offset = 0;
  let readAt = -Infinity;
  return (now) => {
    if (now - readAt < clockOffsetMaxAgeMs) return offset;
    readAt = now;
    offset = Date.now() - performance.now();
    return offset;
  };
}

const noLinks: Link[] = [];
const noEvents: ReadableSpan['events'] = [];
const unset: SpanStatus = { code: SpanStatusCode.UNSET };
const failed: SpanStatus = { code: SpanStatusCode.ERROR };

/** The description and the attributes of a span. */
export interface SpanContent {
  readonly description: SpanDescription;
  /** In addition to those of the description. */
  readonly sharedAttributes: readonly SharedAttributes[];
  /** Those of this span only. */
  readonly ownAttributes: readonly Attributes[];
}

/**
 * A span that only keeps what it is told. IDs, description and attributes are generated when they are read: together with those of other spans
 * they take less time than between other work.
 */
export class RecordedSpan implements TracingSpan, ReadableSpan {
  readonly events = noEvents;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  status = unset;
  ended = false;
  readonly #trace: Trace;
  readonly #describe: Describe;
  readonly #parent: RecordedSpan | SpanContext | undefined;
  readonly #startedAt: number;
  readonly #attributes: (Attributes | ReadAttributes)[] = [];
  #content: SpanContent | undefined = undefined;
  #spanId: string | undefined = undefined;
  #endedAt = 0;

  /** @param parent The span context of a parent in another process. */
  constructor(
    trace: Trace,
    describe: Describe,
    parent: RecordedSpan | SpanContext | undefined,
    startedAt = performance.now(),
  ) {
    this.#trace = trace;
    this.#describe = describe;
    this.#parent = parent;
    this.#startedAt = startedAt;
  }

  get traceId(): string {
    return this.#trace.id;
  }

  get traceState(): TraceState | undefined {
    return this.#trace.state;
  }

  get spanId(): string {
    this.#spanId ??= this.#trace.options.idGenerator.generateSpanId();
    return this.#spanId;
  }

  /** Undefined without a parent. */
  get parentSpanId(): string | undefined {
    return this.#parent?.spanId;
  }

  get isParentRemote(): boolean {
    return this.#parent !== undefined && !(this.#parent instanceof RecordedSpan);
  }

  get parentSpanContext(): SpanContext | undefined {
    return this.#parent instanceof RecordedSpan ? this.#parent.spanContext() : this.#parent;
  }

  get content(): SpanContent {
    this.#content ??= this.#readContent();
    return this.#content;
  }

  get name(): string {
    return this.content.description.name;
  }

  get kind(): SpanKind {
    return this.content.description.kind;
  }

  get attributes(): Attributes {
    const { description, sharedAttributes, ownAttributes } = this.content;
    const shared = sharedAttributes.map(({ values }) => values);
    return Object.assign({}, description.attributes, ...shared, ...ownAttributes) as Attributes;
  }

  get links(): Link[] {
    return this.#parent instanceof RecordedSpan ? noLinks : this.#trace.links;
  }

  get resource(): Resource {
    return this.#trace.options.resource;
  }

  get instrumentationScope(): ReadableSpan['instrumentationScope'] {
    return this.#trace.options.instrumentationScope;
  }

  get startTime(): HrTime {
    return hrTime(this.#startedAt + this.#trace.clockOffsetMs);
  }

  get endTime(): HrTime {
    return hrTime(this.#endedAt + this.#trace.clockOffsetMs);
  }

  get duration(): HrTime {
    return hrTime(this.#endedAt - this.#startedAt);
  }

  spanContext(): SpanContext {
    const { traceId, spanId, traceState } = this;
    return traceState ? { traceId, spanId, traceFlags: 1, traceState } : { traceId, spanId, traceFlags: 1 };
  }

  isRecording(): boolean {
    return !this.ended;
  }

  startChild(describe: Describe): TracingSpan {
    return new RecordedSpan(this.#trace, describe, this);
  }

  setAttributes(attributes: Attributes | ReadAttributes): void {
    if (!this.ended) this.#attributes.push(attributes);
  }

  setFailed(): void {
    if (!this.ended) this.status = failed;
  }

  end(endedAt = performance.now()): void {
    if (this.ended) return;
    this.ended = true;
    this.#endedAt = endedAt;
    this.#trace.options.onEnd(this);
  }

  #readContent(): SpanContent {
    const sharedAttributes: SharedAttributes[] = [];
    const ownAttributes: Attributes[] = [];
    for (const set of this.#attributes) {
      const attributes = typeof set === 'function' ? set() : set;
      if (attributes instanceof SharedAttributes) sharedAttributes.push(attributes);
      else ownAttributes.push(attributes);
    }
    return { description: this.#describe(), sharedAttributes, ownAttributes };
  }
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  const nanoseconds = Math.round((ms - seconds * 1000) * 1e6);
  return nanoseconds === 1e9 ? [seconds + 1, 0] : [seconds, nanoseconds];
}
