import type { Attributes, SpanContext } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { ProtobufWriter } from './protobuf-writer.ts';

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
  /** Whole messages by value, for the first values: most attributes have few values. */
  readonly messages: Map<string, Uint8Array>;
}

const maxKnownValues = 16;
const maxKnownLength = 64;

/**
 * Serializes spans of one tracer as an `ExportTraceServiceRequest` in Protocol Buffers. The bytes are those of the serializer of
 * `@opentelemetry/otlp-transformer`, which takes four times the processor time: it measures each message before it writes it, and
 * attributes that recur are not copied.
 */
export class SpanSerializer {
  readonly #writer = new ProtobufWriter();
  readonly #known = new Map<string, KnownAttribute>();

  /** @param spans Have the same resource and scope. They have no events. */
  serialize(spans: readonly ReadableSpan[]): Uint8Array {
    const [first] = spans;
    if (!first) return new Uint8Array();
    const writer = this.#writer;
    // Not 0 if the last call threw.
    writer.position = 0;
    writer.byte(tags.resourceSpans);
    const resourceSpans = writer.startMessage();
    writer.byte(tags.resource);
    const resource = writer.startMessage();
    this.#attributes(tags.resourceAttributes, first.resource.attributes);
    this.#count(tags.droppedResourceAttributes, 0);
    writer.endMessage(resource);
    writer.byte(tags.scopeSpans);
    const scopeSpans = writer.startMessage();
    const { name, version } = first.instrumentationScope;
    writer.byte(tags.scope);
    const scope = writer.startMessage();
    writer.byte(tags.scopeName);
    writer.string(name);
    if (version !== undefined) {
      writer.byte(tags.scopeVersion);
      writer.string(version);
    }
    writer.endMessage(scope);
    for (const span of spans) this.#span(span);
    writer.endMessage(scopeSpans);
    writer.endMessage(resourceSpans);
    const bytes = writer.bytesFrom(0);
    writer.clear();
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
    this.#attributes(tags.attributes, span.attributes);
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
    const isText = typeof value === 'string' && value.length <= maxKnownLength;
    const message = isText ? known.messages.get(value) : undefined;
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
    if (isText && known.messages.size < maxKnownValues) known.messages.set(value, writer.bytesFrom(start));
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
