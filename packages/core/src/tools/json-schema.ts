import { InputError } from '../errors.ts';
import type { StandardSchema } from './standard-schema.ts';

export type JsonSchema = Record<string, unknown>;

/** A schema and how it is sent. */
export interface SchemaSource<S extends StandardSchema = StandardSchema> {
  /** a-z, A-Z, 0-9, underscores and dashes; at most 64. */
  readonly name: string;
  readonly description?: string;
  readonly schema: S;
  /** The JSON Schema to send. Required if the library of the schema cannot generate it. */
  readonly jsonSchema?: JsonSchema;
  /** Whether the server enforces the schema. Default true. */
  readonly strict?: boolean;
}

/**
 * The JSON Schema to send: the caller's, or that of the schema's input, which the model writes. In strict mode, objects get
 * `additionalProperties: false` (API: response_format).
 */
export function jsonSchemaOf({ name, schema, jsonSchema, strict = true }: SchemaSource): JsonSchema {
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
const SCHEMA_MAP_KEYWORDS = new Set(['properties', 'patternProperties', '$defs', 'definitions']);
/** Keywords whose value is data, which can look like a schema. */
const DATA_KEYWORDS = new Set(['const', 'enum', 'default', 'examples']);

function closeSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeSchema);
  return isObject(schema) ? closeObjects(schema) : schema;
}

function closeObjects(schema: Record<string, unknown>): Record<string, unknown> {
  const closed = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (DATA_KEYWORDS.has(keyword)) return [keyword, value];
      if (!SCHEMA_MAP_KEYWORDS.has(keyword) || !isObject(value)) return [keyword, closeSchema(value)];
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closeSchema(inner)]))];
    }),
  );
  const isObjectSchema = [schema['type']].flat().includes('object') || 'properties' in schema;
  return isObjectSchema ? { additionalProperties: false, ...closed } : closed;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
