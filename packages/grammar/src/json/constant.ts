import { isJsonObject } from './keywords.ts';
import type { JsonObject } from './keywords.ts';

/** JSON with sorted property names, which is the same for equal values. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

/** A schema that only this object or array matches. */
export function schemaOfConstant(value: unknown): JsonObject {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const { length } = items;
    const prefixItems = items.map((item) => ({ const: item }));
    const counts = { type: 'array', minItems: length, maxItems: length };
    return length === 0 ? counts : { ...counts, prefixItems };
  }
  if (!isJsonObject(value)) return { const: value };
  const names = Object.keys(value);
  const properties = Object.fromEntries(names.map((name) => [name, { const: value[name] }]));
  return { type: 'object', properties, required: names, additionalProperties: false };
}
