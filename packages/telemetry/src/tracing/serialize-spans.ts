import type { Attributes, SpanContext, TraceState } from '@opentelemetry/api';
import { ProtobufWriter, varintLength } from './protobuf-writer.ts';
import type { RecordedSpan, SpanDetails } from './recorded-span.ts';
import type { SharedAttributes, SpanDescription, SpanTemplate } from './span-description.ts';
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

/** The fields of a span context that are encoded. */
interface SpanIdentity extends Pick<SpanContext, 'traceId' | 'spanId'> {
  readonly traceState?: TraceState | undefined;
}

/** The encoded parts of an attribute. The number of keys is bounded: they are constants in the source code, and resource attributes. */
interface CachedAttribute {
  /** The encoded field `key`. */
  readonly key: Uint8Array;
  /** Encoded messages by value: most attributes have few values. Undefined once there have been too many. */
  messages: Map<AttributeValue, Uint8Array> | undefined;
}

/** The maximum number of templates of a description, such as for different models, status codes and clients. */
const maxTemplates = 32;
/** After this many spans without a template, the templates of a description are discarded. Replacing them each time would cost more than they save. */
const maxMissingTemplates = 1000;

const maxCachedValues = 16;
const maxCachedLength = 64;

/**
 * The default number of spans that are serialized together. Serializing each span separately takes several times as long, because neither code nor
 * data are then in the CPU caches. With larger groups, more spans would survive garbage collections.
 */
const defaultGroupSize = 128;

/**
 * Serializes spans with the same resource and instrumentation scope as an `ExportTraceServiceRequest` in Protocol Buffers. The bytes are equal to those of
 * `@opentelemetry/otlp-transformer`, which measures each message before it writes it, and encodes all attributes of each span again.
 */
export class SpanSerializer implements SpanEncoder {
  /** The encoded spans of the batch, without the messages that contain them. */
  readonly #writer = new ProtobufWriter();
  readonly #header = new ProtobufWriter();
  readonly #cachedAttributes = new Map<string, CachedAttribute>();
  readonly #group: RecordedSpan[] = [];
  readonly #onError: (error: unknown) => void;
  readonly #groupSize: number;
  /** The encoded resource and scope of all spans. */
  #resourceAndScope: { readonly resource: Uint8Array; readonly scope: Uint8Array } | undefined;

  /**
   * @param onError Called with the error of a span that cannot be serialized, such as one whose description cannot be created.
   * @param groupSize The number of spans that wait to be serialized together. Default 128.
   */
  constructor(onError: (error: unknown) => void, groupSize = defaultGroupSize) {
    this.#onError = onError;
    this.#groupSize = groupSize;
  }

  /** @param span Must have the same resource and scope as all others. */
  add(span: RecordedSpan): void {
    if (this.#group.push(span) >= this.#groupSize) this.#serializeGroup();
  }

  take(): Uint8Array<ArrayBuffer> {
    this.#serializeGroup();
    const spans = this.#writer;
    const head = this.#header;
    head.clear();
    if (this.#resourceAndScope) {
      const { resource, scope } = this.#resourceAndScope;
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
    const writer = this.#writer;
    for (const span of this.#group.splice(0)) {
      const start = writer.position;
      try {
        this.#resourceAndScope ??= { resource: this.#encodeResource(span), scope: encodeScope(span) };
        this.#span(span);
      } catch (error) {
        // Only this span is lost: the others belong to other requests.
        writer.position = start;
        this.#onError(error);
      }
    }
  }

  #encodeResource({ resource }: RecordedSpan): Uint8Array {
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

  #span(span: RecordedSpan): void {
    const writer = this.#writer;
    const { details } = span;
    writer.byte(tags.spans);
    const start = writer.startMessage(2);
    const template = this.#templateOf(span, details);
    if (template) {
      writer.raw(template.head);
      this.#replaceIdsAndTimes(span, start, template.timesOffset);
    } else this.#head(span, details);
    for (const attributes of details.ownAttributes) this.#attributes(tags.attributes, attributes);
    if (template) writer.raw(template.tail);
    else this.#tail(span);
    writer.endMessage(start, 2);
  }

  /** Returns undefined for spans with a new description or new shared attributes, and for those with links or a trace state, which are rare. */
  #templateOf(span: RecordedSpan, details: SpanDetails): SpanTemplate | undefined {
    const { description, sharedAttributes } = details;
    const { status, isParentRemote } = span;
    const hasParent = span.parentSpanId !== undefined;
    let isRecurring = markSerialized(description) && span.links.length === 0 && !span.traceState;
    for (const shared of sharedAttributes) isRecurring = markSerialized(shared) && isRecurring;
    if (!isRecurring) return undefined;
    const { templates } = description;
    for (const template of templates) {
      const hasSameParent = template.hasParent === hasParent && template.isParentRemote === isParentRemote;
      if (template.status === status && hasSameParent && hasSameItems(template.sharedAttributes, sharedAttributes))
        return template;
    }
    if (templates.length === maxTemplates) {
      if (++description.missingTemplates < maxMissingTemplates) return undefined;
      description.missingTemplates = 0;
      templates.length = 0;
    }
    const writer = this.#writer;
    const start = writer.position;
    const timesOffset = this.#head(span, details) - start;
    const head = writer.bytesFrom(start);
    writer.position = start;
    this.#tail(span);
    const tail = writer.bytesFrom(start);
    writer.position = start;
    const template: SpanTemplate = { sharedAttributes, status, hasParent, isParentRemote, head, timesOffset, tail };
    templates.push(template);
    return template;
  }

  #replaceIdsAndTimes(span: RecordedSpan, start: number, timesOffset: number): void {
    const writer = this.#writer;
    const { parentSpanId } = span;
    const end = writer.position;
    // Each ID follows one byte for its tag and one for its length. Spans with a trace state have no template.
    writer.writeHexAt(start + 2, span.traceId);
    writer.writeHexAt(start + 20, span.spanId);
    if (parentSpanId !== undefined) writer.writeHexAt(start + 30, parentSpanId);
    writer.position = start + timesOffset;
    this.#times(span);
    writer.position = end;
  }

  /** Writes the fields before the own attributes of the span. Returns the position of the times. */
  #head(span: RecordedSpan, { description, sharedAttributes }: SpanDetails): number {
    const writer = this.#writer;
    const { parentSpanId } = span;
    this.#context(span);
    if (parentSpanId !== undefined) {
      writer.byte(tags.parentSpanId);
      writer.hex(parentSpanId);
    }
    writer.byte(tags.name);
    writer.string(description.name);
    writer.byte(tags.kind);
    writer.varint(description.kind + 1);
    const timesPosition = writer.position;
    this.#times(span);
    this.#attributes(tags.attributes, description.attributes);
    for (const { values } of sharedAttributes) this.#attributes(tags.attributes, values);
    return timesPosition;
  }

  #times(span: RecordedSpan): void {
    const writer = this.#writer;
    writer.byte(tags.startTime);
    writer.nanoseconds(span.startTime);
    writer.byte(tags.endTime);
    writer.nanoseconds(span.endTime);
  }

  /** Writes the fields after the own attributes. */
  #tail(span: RecordedSpan): void {
    const writer = this.#writer;
    this.#count(tags.droppedAttributes, 0);
    this.#count(tags.droppedEvents, 0);
    for (const { context } of span.links) {
      writer.byte(tags.links);
      const startOfLink = writer.startMessage();
      this.#context(context);
      this.#count(tags.droppedLinkAttributes, 0);
      writer.byte(tags.linkFlags);
      writer.fixed32(flagsOf(context.traceFlags, context.isRemote === true));
      writer.endMessage(startOfLink);
    }
    this.#count(tags.droppedLinks, 0);
    writer.byte(tags.status);
    writer.byte(2);
    this.#count(tags.statusCode, span.status.code);
    // The tag of this field takes two bytes.
    writer.varint(fixed32Tag(16));
    writer.fixed32(flagsOf(1, span.isParentRemote));
  }

  #count(tag: number, count: number): void {
    const writer = this.#writer;
    writer.byte(tag);
    writer.varint(count);
  }

  #context({ traceId, spanId, traceState }: SpanIdentity): void {
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
    const { position } = writer;
    const start = writer.startMessage();
    writer.raw(known.key);
    writer.byte(tags.value);
    const startOfValue = writer.startMessage();
    this.#value(value);
    writer.endMessage(startOfValue);
    writer.endMessage(start);
    const isLong = typeof value === 'string' && value.length > maxCachedLength;
    if (!messages || isLong || typeof value === 'object') return;
    if (messages.size < maxCachedValues) messages.set(value, writer.bytesFrom(position));
    else known.messages = undefined;
  }

  #value(value: AttributeValue): void {
    const writer = this.#writer;
    if (typeof value === 'string') {
      writer.byte(tags.stringValue);
      writer.string(value);
    } else if (typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63) {
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

/** Returns whether it was marked before. What occurs only once has no use for a template. */
function markSerialized(recurring: SharedAttributes | SpanDescription): boolean {
  const before = recurring.wasSerialized;
  recurring.wasSerialized = true;
  return before;
}

/** Whether both lists have identical items. */
function hasSameItems<Item>(first: readonly Item[], second: readonly Item[]): boolean {
  if (first.length !== second.length) return false;
  for (let index = 0; index < first.length; index++) if (first[index] !== second[index]) return false;
  return true;
}

function encodeScope({ instrumentationScope: { name, version } }: RecordedSpan): Uint8Array {
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

/** The flags of OTLP: the trace flags, and whether the parent or the linked span is in another process. */
function flagsOf(traceFlags: number, isRemote: boolean): number {
  return (traceFlags & 255) | 256 | (isRemote ? 512 : 0);
}
