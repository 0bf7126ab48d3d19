import type { Attributes, SpanContext } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { ProtobufWriter, varintLength } from './protobuf-writer.ts';
import { RecordedSpan } from './recorded-span.ts';
import type { SpanEncoder } from './span-queue.ts';

/** Tags of fields, by their wire types. The fields are those of https://github.com/open-telemetry/opentelemetry-proto. */
const varintOf = (field: number): number => field << 3;
const fixed64Of = (field: number): number => (field << 3) | 1;
const messageOf = (field: number): number => (field << 3) | 2;
const fixed32Of = (field: number): number => (field << 3) | 5;

const tags = {
  resourceSpans: messageOf(1),
  resource: messageOf(1),
  scopeSpans: messageOf(2),
  scope: messageOf(1),
  spans: messageOf(2),
  traceId: messageOf(1),
  spanId: messageOf(2),
  traceState: messageOf(3),
  parentSpanId: messageOf(4),
  name: messageOf(5),
  kind: varintOf(6),
  startTime: fixed64Of(7),
  endTime: fixed64Of(8),
  attributes: messageOf(9),
  droppedAttributes: varintOf(10),
  droppedEvents: varintOf(12),
  links: messageOf(13),
  droppedLinks: varintOf(14),
  status: messageOf(15),
  statusCode: varintOf(3),
  droppedLinkAttributes: varintOf(5),
  linkFlags: fixed32Of(6),
  resourceAttributes: messageOf(1),
  droppedResourceAttributes: varintOf(2),
  scopeName: messageOf(1),
  scopeVersion: messageOf(2),
  key: messageOf(1),
  value: messageOf(2),
  stringValue: messageOf(1),
  boolValue: varintOf(2),
  intValue: varintOf(3),
  doubleValue: fixed64Of(4),
  arrayValue: messageOf(5),
  arrayItem: messageOf(1),
} as const;

type AttributeValue = Attributes[string];

/** What has been written for an attribute before. Keys are names in the source code, so their number is bounded. */
interface KnownAttribute {
  /** The field `key`. */
  readonly key: Uint8Array;
  /** Whole messages by value: most attributes have few values. Undefined when there were more. */
  messages: Map<AttributeValue, Uint8Array> | undefined;
}

const maxKnownValues = 16;
const maxKnownLength = 64;

/**
 * Spans of so many are serialized together: when the code has just run it takes a fraction of the time that it takes between the parts of
 * requests. More would be alive at a collection of garbage.
 */
const groupSize = 32;

/**
 * Serializes spans of one tracer as an `ExportTraceServiceRequest` in Protocol Buffers. The bytes are those of the serializer of
 * `@opentelemetry/otlp-transformer`, which takes four times the CPU time: it measures each message before it writes it, and
 * attributes that recur are not copied.
 */
export class SpanSerializer implements SpanEncoder {
  /** The spans of the batch, without the messages that contain them. */
  readonly #writer = new ProtobufWriter();
  readonly #head = new ProtobufWriter();
  readonly #known = new Map<string, KnownAttribute>();
  readonly #group: ReadableSpan[] = [];
  /** The resource and the scope of all spans, as fields. */
  #origin: { readonly resource: Uint8Array; readonly scope: Uint8Array } | undefined;

  /** @param span Has the same resource and scope as the others, and no events. */
  add(span: ReadableSpan): void {
    if (this.#group.push(span) === groupSize) this.#serializeGroup();
  }

  take(): Uint8Array {
    this.#serializeGroup();
    const spans = this.#writer;
    const head = this.#head;
    head.clear();
    if (this.#origin) {
      const { resource, scope } = this.#origin;
      const scopeLength = scope.length + spans.position;
      head.byte(tags.resourceSpans);
      head.varint(resource.length + 1 + varintLength(scopeLength) + scopeLength);
      head.raw(resource);
      head.byte(tags.scopeSpans);
      head.varint(scopeLength);
      head.raw(scope);
    }
    const bytes = new Uint8Array(head.position + spans.position);
    bytes.set(head.written());
    bytes.set(spans.written(), head.position);
    spans.clear();
    return bytes;
  }

  #serializeGroup(): void {
    const [first] = this.#group;
    if (!first) return;
    this.#origin ??= { resource: this.#resourceOf(first), scope: scopeOf(first) };
    for (const span of this.#group) this.#span(span);
    this.#group.length = 0;
  }

  #resourceOf({ resource }: ReadableSpan): Uint8Array {
    const writer = this.#writer;
    const start = writer.position;
    writer.byte(tags.resource);
    const startOfMessage = writer.startMessage();
    this.#attributes(tags.resourceAttributes, resource.attributes);
    this.#count(tags.droppedResourceAttributes, 0);
    writer.endMessage(startOfMessage);
    const bytes = writer.bytesFrom(start);
    writer.position = start;
    return bytes;
  }

  #span(span: ReadableSpan): void {
    const writer = this.#writer;
    const { parentSpanContext, status } = span;
    writer.byte(tags.spans);
    const start = writer.startMessage();
    const context = span.spanContext();
    this.#context(context);
    if (parentSpanContext) {
      writer.byte(tags.parentSpanId);
      writer.hex(parentSpanContext.spanId);
    }
    writer.byte(tags.name);
    writer.string(span.name);
    writer.byte(tags.kind);
    writer.varint(span.kind + 1);
    writer.byte(tags.startTime);
    writer.nanoseconds(span.startTime);
    writer.byte(tags.endTime);
    writer.nanoseconds(span.endTime);
    if (span instanceof RecordedSpan) for (const set of span.attributeSets) this.#attributes(tags.attributes, set);
    else this.#attributes(tags.attributes, span.attributes);
    this.#count(tags.droppedAttributes, span.droppedAttributesCount);
    this.#count(tags.droppedEvents, span.droppedEventsCount);
    for (const link of span.links) {
      writer.byte(tags.links);
      const startOfLink = writer.startMessage();
      this.#context(link.context);
      this.#count(tags.droppedLinkAttributes, 0);
      writer.byte(tags.linkFlags);
      writer.fixed32(flagsOf(link.context, link.context));
      writer.endMessage(startOfLink);
    }
    this.#count(tags.droppedLinks, span.droppedLinksCount);
    writer.byte(tags.status);
    writer.byte(2);
    this.#count(tags.statusCode, status.code);
    // The tag of this field takes two bytes.
    writer.varint(fixed32Of(16));
    writer.fixed32(flagsOf(context, parentSpanContext));
    writer.endMessage(start);
  }

  #count(tag: number, count: number): void {
    const writer = this.#writer;
    writer.byte(tag);
    writer.varint(count);
  }

  #context({ traceId, spanId, traceState }: SpanContext): void {
    const writer = this.#writer;
    writer.byte(tags.traceId);
    writer.hex(traceId);
    writer.byte(tags.spanId);
    writer.hex(spanId);
    const state = traceState?.serialize() ?? '';
    if (state === '') return;
    writer.byte(tags.traceState);
    writer.string(state);
  }

  #attributes(tag: number, attributes: Attributes): void {
    for (const key in attributes) this.#attribute(tag, key, attributes[key]);
  }

  #attribute(tag: number, key: string, value: AttributeValue): void {
    const writer = this.#writer;
    let known = this.#known.get(key);
    if (!known) this.#known.set(key, (known = { key: encodeKey(key), messages: new Map() }));
    writer.byte(tag);
    const { messages } = known;
    const message = messages?.get(value);
    if (message) {
      writer.raw(message);
      return;
    }
    const start = writer.startMessage();
    writer.raw(known.key);
    writer.byte(tags.value);
    const startOfValue = writer.startMessage();
    this.#value(value);
    writer.endMessage(startOfValue);
    writer.endMessage(start);
    const isLong = typeof value === 'string' && value.length > maxKnownLength;
    if (!messages || isLong || typeof value === 'object') return;
    if (messages.size < maxKnownValues) messages.set(value, writer.bytesFrom(start));
    else known.messages = undefined;
  }

  #value(value: AttributeValue): void {
    const writer = this.#writer;
    if (typeof value === 'string') {
      writer.byte(tags.stringValue);
      writer.string(value);
    } else if (typeof value === 'number' && Number.isSafeInteger(value)) {
      writer.byte(tags.intValue);
      writer.varint(value);
    } else if (typeof value === 'number') {
      writer.byte(tags.doubleValue);
      writer.double(value);
    } else if (typeof value === 'boolean') {
      writer.byte(tags.boolValue);
      writer.byte(value ? 1 : 0);
    } else if (Array.isArray(value)) {
      writer.byte(tags.arrayValue);
      const start = writer.startMessage();
      for (const item of value) {
        writer.byte(tags.arrayItem);
        const startOfItem = writer.startMessage();
        this.#value(item);
        writer.endMessage(startOfItem);
      }
      writer.endMessage(start);
    }
  }
}

function scopeOf({ instrumentationScope: { name, version } }: ReadableSpan): Uint8Array {
  const writer = new ProtobufWriter();
  writer.byte(tags.scope);
  const start = writer.startMessage();
  writer.byte(tags.scopeName);
  writer.string(name);
  if (version !== undefined) {
    writer.byte(tags.scopeVersion);
    writer.string(version);
  }
  writer.endMessage(start);
  return writer.bytesFrom(0);
}

function encodeKey(key: string): Uint8Array {
  const writer = new ProtobufWriter();
  writer.byte(tags.key);
  writer.string(key);
  return writer.bytesFrom(0);
}

/** The flags of the trace, and whether the parent is in another process. */
function flagsOf({ traceFlags }: SpanContext, parent: SpanContext | undefined): number {
  return (traceFlags & 255) | 256 | (parent?.isRemote === true ? 512 : 0);
}
