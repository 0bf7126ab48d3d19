import type { Attributes, SpanContext } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { ProtobufWriter, varintLength } from './protobuf-writer.ts';
import { RecordedSpan } from './recorded-span.ts';
import type { SpanEncoder } from './span-queue.ts';

/** The tags of fields by wire type. The field numbers are those of https://github.com/open-telemetry/opentelemetry-proto. */
const varintTag = (field: number): number => field << 3;
const fixed64Tag = (field: number): number => (field << 3) | 1;
const messageTag = (field: number): number => (field << 3) | 2;
const fixed32Tag = (field: number): number => (field << 3) | 5;

const tags = {
  resourceSpans: messageTag(1),
  resource: messageTag(1),
  scopeSpans: messageTag(2),
  scope: messageTag(1),
  spans: messageTag(2),
  traceId: messageTag(1),
  spanId: messageTag(2),
  traceState: messageTag(3),
  parentSpanId: messageTag(4),
  name: messageTag(5),
  kind: varintTag(6),
  startTime: fixed64Tag(7),
  endTime: fixed64Tag(8),
  attributes: messageTag(9),
  droppedAttributes: varintTag(10),
  droppedEvents: varintTag(12),
  links: messageTag(13),
  droppedLinks: varintTag(14),
  status: messageTag(15),
  statusCode: varintTag(3),
  droppedLinkAttributes: varintTag(5),
  linkFlags: fixed32Tag(6),
  resourceAttributes: messageTag(1),
  droppedResourceAttributes: varintTag(2),
  scopeName: messageTag(1),
  scopeVersion: messageTag(2),
  key: messageTag(1),
  value: messageTag(2),
  stringValue: messageTag(1),
  boolValue: varintTag(2),
  intValue: varintTag(3),
  doubleValue: fixed64Tag(4),
  arrayValue: messageTag(5),
  arrayItem: messageTag(1),
} as const;

type AttributeValue = Attributes[string];

/** The encoded parts of an attribute. The number of keys is bounded, because they are constants in the source code. */
interface CachedAttribute {
  /** The encoded field `key`. */
  readonly key: Uint8Array;
  /** Encoded messages by value: most attributes have few values. Undefined once there have been too many. */
  messages: Map<AttributeValue, Uint8Array> | undefined;
}

const maxCachedValues = 16;
const maxCachedLength = 64;

/**
 * The number of spans that are serialized together. In a loop, serializing takes a fraction of the time that it takes between other work; with
 * larger groups, more spans would survive garbage collections.
 */
const groupSize = 32;

/**
 * Serializes spans of one tracer as an `ExportTraceServiceRequest` in Protocol Buffers. The bytes are equal to those of
 * `@opentelemetry/otlp-transformer`, which takes four times the CPU time: it measures each message before it writes it, and does not cache
 * recurring attributes.
 */
export class SpanSerializer implements SpanEncoder {
  /** The encoded spans of the batch, without the messages that contain them. */
  readonly #writer = new ProtobufWriter();
  readonly #header = new ProtobufWriter();
  readonly #cachedAttributes = new Map<string, CachedAttribute>();
  readonly #group: ReadableSpan[] = [];
  /** The encoded resource and scope of all spans. */
  #origin: { readonly resource: Uint8Array; readonly scope: Uint8Array } | undefined;

  /** @param span Must have the same resource and scope as all others, and no events. */
  add(span: ReadableSpan): void {
    if (this.#group.push(span) === groupSize) this.#serializeGroup();
  }

  take(): Uint8Array {
    this.#serializeGroup();
    const spans = this.#writer;
    const head = this.#header;
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
    this.#origin ??= { resource: this.#encodeResource(first), scope: encodeScope(first) };
    for (const span of this.#group) this.#span(span);
    this.#group.length = 0;
  }

  #encodeResource({ resource }: ReadableSpan): Uint8Array {
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
    writer.varint(fixed32Tag(16));
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
    let known = this.#cachedAttributes.get(key);
    if (!known) this.#cachedAttributes.set(key, (known = { key: encodeKey(key), messages: new Map() }));
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
    const isLong = typeof value === 'string' && value.length > maxCachedLength;
    if (!messages || isLong || typeof value === 'object') return;
    if (messages.size < maxCachedValues) messages.set(value, writer.bytesFrom(start));
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

function encodeScope({ instrumentationScope: { name, version } }: ReadableSpan): Uint8Array {
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

/** The trace flags, and whether the parent is remote. */
function flagsOf({ traceFlags }: SpanContext, parent: SpanContext | undefined): number {
  return (traceFlags & 255) | 256 | (parent?.isRemote === true ? 512 : 0);
}
