import { InputError } from '@modelwire/core';
import type { JsonSchemaObject } from '@modelwire/schema/types';
import { fieldsOf, isFields } from '../merge-delta.ts';
import type { StandardSchema } from './standard-schema.ts';

/** A schema and how it is sent. */
export interface SchemaSource<S extends StandardSchema = StandardSchema> {
  /** a-z, A-Z, 0-9, underscores and dashes; at most 64. */
  readonly name: string;
  readonly description?: string;
  readonly schema: S;
  /** The JSON Schema to send. Required if the library of the schema cannot generate it. */
  readonly jsonSchema?: JsonSchemaObject;
  /** Whether the server enforces the schema. Default true. */
  readonly strict?: boolean;
}

/**
 * The JSON Schema to send: the caller's, or that of the schema's input, which the model writes. In strict mode, objects get
 * `additionalProperties: false` (interface: response_format).
 */
export function jsonSchemaOf({ name, schema, jsonSchema, strict = true }: SchemaSource): JsonSchemaObject {
  if (jsonSchema !== undefined) return jsonSchema;
  const { vendor, jsonSchema: converter } = schema['~standard'];
  if (converter === undefined) {
    throw new InputError(`The schema of "${name}" (${vendor}) cannot generate a JSON Schema. Set jsonSchema.`);
  }
  const { $schema: _, ...jsonSchemaObject } = convert(name, converter);
  return strict ? closeObjects(jsonSchemaObject) : jsonSchemaObject;
}

type Converter = NonNullable<StandardSchema['~standard']['jsonSchema']>;

function convert(name: string, converter: Converter): Record<string, unknown> {
  let cause: unknown;
  // The newer draft if the library supports it.
  for (const target of ['draft-2020-12', 'draft-07']) {
    try {
      return converter.input({ target });
    } catch (error) {
      cause ??= error;
    }
  }
  throw new InputError(`The schema of "${name}" cannot be converted to a JSON Schema. Set jsonSchema.`, { cause });
}

/** Keywords whose value maps names to schemas. */
const BY_NAME = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
/** Keywords whose value is data, which can look like a schema. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  return isFields(schema) ? closeObjects(schema) : schema;
}

function closeObjects(schema: Record<string, unknown>): Record<string, unknown> {
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
