import { isRecord } from '@modelwire/adapter-kit';

/**
 * Whether a JSON Schema keeps the rules of strict schemas of chat requests: each object lists all of its properties as required and has no
 * others. The Messages API has no such rules; other schemas are enforced as they are.
 */
export function isStrictSchema(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isStrictSchema);
  if (!isRecord(schema)) return true;
  const { properties, required, additionalProperties } = schema;
  if (schema['type'] === 'object' || isRecord(properties)) {
    const listed: readonly unknown[] = Array.isArray(required) ? required : [];
    const names = isRecord(properties) ? Object.keys(properties) : [];
    if (additionalProperties !== false || !names.every((name) => listed.includes(name))) return false;
  }
  return Object.values(schema).every(isStrictSchema);
}
