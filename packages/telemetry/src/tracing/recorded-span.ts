import { SpanStatusCode } from '@opentelemetry/api';
import type { Attributes, HrTime, Link, SpanContext, SpanKind, SpanStatus, TraceState } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { remoteSpanContext } from './api-span.ts';
import type { Sampler } from './sampler.ts';
import { SharedAttributes } from './span-description.ts';
import type { SpanDescription } from './span-description.ts';
import type { LazyDescription, LazyAttributes, StartRootSpan, TracingSpan } from './tracing-span.ts';

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
  return (describe, { parent, link, attributes, startedAt = performance.now() }) => {
    const parentContext = parent && remoteSpanContext(parent);
    const trace: Trace = {
      options,
      id: parentContext?.traceId ?? options.idGenerator.generateTraceId(),
      state: parentContext?.traceState,
      clockOffsetMs: clockOffset(startedAt),
      links: link ? [{ context: link }] : noLinks,
    };
    const span = new RecordedSpan(trace, describe, parentContext, startedAt);
    for (const given of attributes ?? []) span.setAttributes(given);
    return span;
  };
}

/** What a root span and its descendants in this process have in common. */
interface Trace {
  readonly options: RecorderOptions;
  readonly id: string;
  readonly state: TraceState | undefined;
  /** The offset in milliseconds from `performance.now()` to the system clock. The same in all spans of a trace, so that children are within their parents. */
  readonly clockOffsetMs: number;
  /** The links of the root span. */
  readonly links: Link[];
}

const clockOffsetMaxAgeMs = 1000;

/** Returns a function that returns the offset from `performance.now()` to the system clock. It reads the clocks again after a second. */
function createClockOffset(): (startedAt: number) => number {
  let offset = 0;
  let readAt = -Infinity;
  return (startedAt) => {
    if (Math.abs(startedAt - readAt) < clockOffsetMaxAgeMs) return offset;
    readAt = performance.now();
    offset = Date.now() - readAt;
    return offset;
  };
}

const none: readonly never[] = [];
const noLinks: Link[] = [];
const noEvents: ReadableSpan['events'] = [];
const unset: SpanStatus = { code: SpanStatusCode.UNSET };
const failed: SpanStatus = { code: SpanStatusCode.ERROR };

/** The description and the attributes of a span. */
export interface SpanDetails {
  readonly description: SpanDescription;
  /** Attributes that other spans share, in addition to those of the description. */
  readonly sharedAttributes: readonly SharedAttributes[];
  /** Attributes that no other span shares. */
  readonly ownAttributes: readonly Attributes[];
}

/**
 * A span that stores its inputs unprocessed. Its span ID, description and attributes are generated when they are first read, usually by the
 * serializer for many spans in a loop: generating them between other work takes longer.
 */
export class RecordedSpan implements TracingSpan, ReadableSpan {
  readonly events = noEvents;
  readonly droppedAttributesCount = 0;
  readonly droppedEventsCount = 0;
  readonly droppedLinksCount = 0;
  status = unset;
  ended = false;
  readonly #trace: Trace;
  readonly #describe: LazyDescription;
  readonly #parent: RecordedSpan | SpanContext | undefined;
  readonly #startedAt: number;
  #attributes: readonly (Attributes | LazyAttributes)[] = none;
  #details: SpanDetails | undefined = undefined;
  #spanId: string | undefined = undefined;
  #endedAt = 0;

  /**
   * @param parent A span context if the parent is in another process.
   * @param startedAt In milliseconds on the clock of `performance.now()`.
   */
  constructor(
    trace: Trace,
    describe: LazyDescription,
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

  get details(): SpanDetails {
    return this.#details ?? this.createDetails();
  }

  get name(): string {
    return this.details.description.name;
  }

  get kind(): SpanKind {
    return this.details.description.kind;
  }

  get attributes(): Attributes {
    const { description, sharedAttributes, ownAttributes } = this.details;
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

  startChild(describe: LazyDescription): TracingSpan {
    return new RecordedSpan(this.#trace, describe, this);
  }

  setAttributes(attributes: Attributes | LazyAttributes): void {
    if (!this.ended) this.#attributes = append(this.#attributes, attributes);
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

  /** Calls the functions that describe the span, and keeps the result. @throws what they throw. */
  createDetails(): SpanDetails {
    let sharedAttributes: readonly SharedAttributes[] = none;
    let ownAttributes: readonly Attributes[] = none;
    for (const given of this.#attributes) {
      const attributes = typeof given === 'function' ? given() : given;
      if (attributes instanceof SharedAttributes) sharedAttributes = append(sharedAttributes, attributes);
      else ownAttributes = append(ownAttributes, attributes);
    }
    this.#details = { description: this.#describe(), sharedAttributes, ownAttributes };
    return this.#details;
  }
}

/** Returns a list with one more item. `push` would reserve space for 17 items; these lists are short, and kept until the span is encoded. */
function append<Item>(items: readonly Item[], item: Item): readonly Item[] {
  return items.concat([item]);
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  const nanoseconds = Math.round((ms - seconds * 1000) * 1e6);
  return nanoseconds === 1e9 ? [seconds + 1, 0] : [seconds, nanoseconds];
}
