import { createBudget, GrammarError } from '@modelwire/grammar';

/** A JSON Schema as far as values are made from it. What cannot be read so is checked by the grammar. */
export type Schema = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Resolved schemas by the document they are part of: each is resolved once, however often it is referred to. */
const resolvers = new WeakMap<object, (schema: unknown, depth: number) => Schema>();

/** Steps that resolving all schemas of one document may take, and references within each other. */
const maxWork = 200_000;
const maxDepth = 500;

/**
 * The schema with its `$ref` followed and its `allOf` merged. The same schema of the same document gives the same object.
 *
 * @throws GrammarError with the code `limit` when the document takes more work than any schema needs, or refers to itself.
 */
export function resolved(schema: unknown, root: unknown): Schema {
  if (!isRecord(schema) || !isRecord(root)) return {};
  let resolve = resolvers.get(root);
  if (!resolve) resolvers.set(root, (resolve = createResolver(root)));
  return resolve(schema, 0);
}

function createResolver(root: Schema) {
  const known = new Map<Schema, Schema | undefined>();
  const budget = createBudget({ maxMs: Infinity, maxWork });

  function resolve(schema: unknown, depth: number): Schema {
    if (!isRecord(schema)) return {};
    const before = known.get(schema);
    if (before) return before;
    if (known.has(schema) || depth > maxDepth) {
      throw new GrammarError('limit', 'its references lead to each other without end; refer to each definition once');
    }
    known.set(schema, undefined);
    const result = merged(schema, depth);
    known.set(schema, result);
    return result;
  }

  function merged(schema: Schema, depth: number): Schema {
    const { $ref, ...beside } = schema;
    const named = typeof $ref === 'string' ? resolve(pointed($ref, root), depth + 1) : {};
    const at = typeof $ref === 'string' ? { ...named, ...beside } : schema;
    const parts = listOf(beside['allOf']).map((part) => resolve(part, depth + 1));
    const properties = [at, ...parts].map((part) => (isRecord(part['properties']) ? part['properties'] : {}));
    const required = [...new Set([at, ...parts].flatMap((part) => listOf(part['required'])))];
    for (const part of [at, ...parts]) budget.work(1 + Object.keys(part).length);
    for (const names of properties) budget.work(Object.keys(names).length);
    budget.work(required.length);
    if (parts.length === 0) return at;
    const together = Object.assign({}, ...properties) as Schema;
    return Object.assign({}, ...parts, at, { properties: together, required }) as Schema;
  }
  return resolve;
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
