import * as z from 'zod';
import { isNullAbsent } from './omit-nulls.ts';

type Json = z.core.JSONSchema.BaseSchema;

/** Annotations of a property stay next to its type when null is added to the type. */
const ANNOTATIONS = new Set(['title', 'description', 'default', 'deprecated', 'examples']);
/** Properties that accept null, collected during the conversion: their schemas are complete only at its end. */
const NULLABLE = 'x-nullable-properties';

/** The JSON Schema of a request. Each optional field accepts null, which `parseRequest` treats as absent. */
export function requestJsonSchema(
  schema: z.core.$ZodType,
  params: Omit<z.core.ToJSONSchemaParams, 'io' | 'override'> = {},
): Json {
  const document: Json = z.toJSONSchema(schema, { ...params, io: 'input', override: noteNullable });
  addNulls(document);
  return document;
}

const noteNullable: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  if (!(zodSchema instanceof z.ZodObject)) return;
  const fields = Object.entries<z.core.$ZodType>(zodSchema.shape);
  jsonSchema[NULLABLE] = fields.filter(([, field]) => isNullAbsent(field)).map(([name]) => name);
};

function addNulls(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const child of Object.values(node)) addNulls(child);
  if (!(NULLABLE in node)) return;
  const object: Json = node;
  const names = new Set(object[NULLABLE] as readonly string[]);
  for (const [name, property] of Object.entries(object.properties ?? {})) {
    if (typeof property === 'object' && names.has(name) && object.properties)
      object.properties[name] = orNull(property);
  }
  Reflect.deleteProperty(object, NULLABLE);
}

function orNull(property: Json): Json {
  const entries = Object.entries(property);
  const own = Object.fromEntries(entries.filter(([name]) => !ANNOTATIONS.has(name)));
  const annotations = Object.fromEntries(entries.filter(([name]) => ANNOTATIONS.has(name)));
  return { ...annotations, anyOf: [own, { type: 'null' }] };
}
