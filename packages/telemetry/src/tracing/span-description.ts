import { SpanKind } from '@opentelemetry/api';
import type { Attributes, SpanStatus } from '@opentelemetry/api';

/** Attributes that several spans share. Must not be modified: the serializer compares the objects by identity. */
export class SharedAttributes {
  readonly values: Attributes;
  /** Whether a span with these attributes has been serialized. */
  wasSerialized = false;

  constructor(values: Attributes) {
    this.values = values;
  }
}

/** The encoding of spans with the same description, shared attributes, status and kind of parent. */
export interface SpanTemplate {
  readonly sharedAttributes: readonly SharedAttributes[];
  readonly status: SpanStatus;
  readonly hasParent: boolean;
  /** Whether the parent is in another process. */
  readonly isParentRemote: boolean;
  /** The encoded fields before the own attributes of the span. Its IDs and times are those of the first span, and are replaced. */
  readonly head: Uint8Array;
  /** The offset of the times in `head`. */
  readonly timesOffset: number;
  /** The encoded fields after the attributes. */
  readonly tail: Uint8Array;
}

/** The name, kind and attributes that a span has from its start. Spans can share a description: the serializer then reuses its encoding. */
export class SpanDescription {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** Whether a span with this description has been serialized. Templates are created from the second one on. */
  wasSerialized = false;
  /** The templates of the serializer for spans with this description. */
  readonly templates: SpanTemplate[] = [];
  /** The number of spans without a template since the maximum number of templates was reached. */
  missingTemplates = 0;

  constructor(name: string, attributes: Attributes = {}, kind: SpanKind = SpanKind.INTERNAL) {
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
  }
}
