import { InputError } from '@modelwire/core';
import type { JsonSchemaObject } from '@modelwire/schema/types';
import { fieldsOf, isFields } from '../pieces.ts';
import type { StandardSchema } from './standard-schema.ts';

/** A schema, and how it goes out. */
export interface SchemaSource<S extends StandardSchema = StandardSchema> {
  /** a-z, A-Z, 0-9, underscores and dashes; at most 64. */
  readonly name: string;
  readonly description?: string;
  readonly schema: S;
  /** Sent as it is. Needed where the schema cannot say it itself. */
  readonly jsonSchema?: JsonSchemaObject;
  /** Whether the model is held to the schema; true unless said. */
  readonly strict?: boolean;
}

/**
 * The JSON Schema to send: the caller's, or what the schema says of its input, since what the model writes is what the
 * schema then takes. For strict use, objects are closed (interface: Structured outputs), which validators leave open.
 */
export function jsonSchemaOf({ name, schema, jsonSchema, strict = true }: SchemaSource): JsonSchemaObject {
  if (jsonSchema !== undefined) return jsonSchema;
  const { vendor, jsonSchema: converter } = schema['~standard'];
  if (converter === undefined) {
    throw new InputError(`The schema of "${name}" (${vendor}) cannot say its JSON Schema: give it as jsonSchema.`);
  }
  const { $schema: _, ...written } = convert(name, converter);
  return strict ? closeFields(written) : written;
}

type Converter = NonNullable<StandardSchema['~standard']['jsonSchema']>;

function convert(name: string, converter: Converter): Record<string, unknown> {
  let cause: unknown;
  // The newer draft where the library has it.
  for (const target of ['draft-2020-12', 'draft-07']) {
    try {
      return converter.input({ target });
    } catch (error) {
      cause ??= error;
    }
  }
  throw new InputError(`The schema of "${name}" has no JSON Schema: give one as jsonSchema.`, { cause });
}

/** Keywords whose value is a schema for each name. */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
/** Keywords whose value is data, which may look like a schema. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  return isFields(schema) ? closeFields(schema) : schema;
}

function closeFields(schema: Record<string, unknown>): Record<string, unknown> {
  const closed = Object.fromEntries(
    fieldsOf(schema).map(([keyword, value]) => {
      if (DATA.has(keyword)) return [keyword, value];
      if (!BY_NAME.has(keyword) || !isFields(value)) return [keyword, close(value)];
      return [keyword, Object.fromEntries(fieldsOf(value).map(([name, inner]) => [name, close(inner)]))];
    }),
  );
  const isObject = [schema['type']].flat().includes('object') || 'properties' in schema;
  return isObject ? { additionalProperties: false, ...closed } : closed;
}
