import { SpanKind } from '@opentelemetry/api';
import type { Attributes, SpanStatus } from '@opentelemetry/api';

/** Attributes that several spans share. Must not be modified. */
export class SharedAttributes {
  readonly values: Attributes;

  constructor(values: Attributes) {
    this.values = values;
  }
}

/** The encoding of spans that have a description and shared attributes in common. */
export interface SpanTemplate {
  readonly sharedAttributes: readonly SharedAttributes[];
  readonly status: SpanStatus;
  readonly hasParent: boolean;
  /** Whether the parent is in another process. */
  readonly isParentRemote: boolean;
  /** The encoded fields before the attributes of the span itself. IDs and times have to be replaced. */
  readonly head: Uint8Array;
  /** The offset of the start time in `head`. */
  readonly timesAt: number;
  /** The encoded fields after the attributes. */
  readonly tail: Uint8Array;
}

/** What is known of a span when it starts. Spans can share a description, which the serializer then does not encode again for each of them. */
export class SpanDescription {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** Whether the serializer has encoded a span with this description. */
  isEncoded = false;
  /** Those of the serializer. */
  readonly templates: SpanTemplate[] = [];

  constructor(name: string, attributes: Attributes = {}, kind: SpanKind = SpanKind.INTERNAL) {
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
  }
}
