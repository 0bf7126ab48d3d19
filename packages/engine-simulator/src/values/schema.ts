/** A JSON Schema as far as values are made from it. What cannot be read so is checked by the grammar. */
export type Schema = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** What a `$ref` within the document names, in a chain too; `allOf` laid together. */
export function resolved(schema: unknown, root: unknown): Schema {
  let at = schema;
  for (let i = 0; i < 20 && isRecord(at) && typeof at['$ref'] === 'string'; i++) {
    const { $ref, ...beside } = at;
    const named = pointed($ref, root);
    at = isRecord(named) ? { ...named, ...beside } : {};
  }
  if (!isRecord(at)) return {};
  const parts = listOf(at['allOf']).map((part) => resolved(part, root));
  if (parts.length === 0) return at;
  const properties = Object.assign({}, at['properties'], ...parts.map((part) => part['properties'])) as Schema;
  const required = [at, ...parts].flatMap((part) => listOf(part['required']));
  return Object.assign({}, ...parts, at, { properties, required }) as Schema;
}

function pointed(reference: string, root: unknown): unknown {
  let at = root;
  for (const step of reference.split('/').slice(1)) {
    const key = unescaped(step);
    at = typeof at === 'object' && at !== null ? Object.getOwnPropertyDescriptor(at, key)?.value : undefined;
  }
  return at;
}

function unescaped(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

/** The types a schema names or implies, in its order. */
export function typesOf(schema: Schema): readonly string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.map(String);
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return ['object'];
  if ('items' in schema || 'prefixItems' in schema || 'minItems' in schema) return ['array'];
  if ('pattern' in schema || 'format' in schema || 'minLength' in schema || 'maxLength' in schema) return ['string'];
  if ('minimum' in schema || 'maximum' in schema || 'multipleOf' in schema) return ['number'];
  return [];
}

export function propertiesOf(schema: Schema): readonly (readonly [name: string, schema: unknown])[] {
  return isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
}

export function optionsOf(schema: Schema): readonly unknown[] {
  return [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])];
}
