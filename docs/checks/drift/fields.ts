/** Names of fields with their paths, each with the values that an enumeration allows; none for a field of any value, `*` for any JSON. */
export type Fields = Readonly<Record<string, readonly string[]>>;

/** Deeper fields are compared by the field that contains them. */
const maxDepth = 5;

/** The fields of a JSON Schema. References are resolved in its document. Alternatives are one object with the fields of all of them. */
export function fieldsOf(schema: unknown, document: unknown = schema): Fields {
  const found = new Map<string, Set<string>>();
  collect(schema, { path: '', document, found, open: [] });
  return Object.fromEntries([...found].map(([path, values]) => [path, [...values].toSorted()] as const).toSorted());
}

interface Position {
  readonly path: string;
  readonly document: unknown;
  readonly found: Map<string, Set<string>>;
  /** References that are being resolved. */
  readonly open: readonly string[];
}

function collect(schema: unknown, position: Position): void {
  if (!isRecord(schema)) return;
  const { path, found, document, open } = position;
  const { $ref: reference, properties, items } = schema;
  if (typeof reference === 'string' && !open.includes(reference))
    collect(resolve(document, reference), { ...position, open: [...open, reference] });
  for (const alternatives of [schema['allOf'], schema['anyOf'], schema['oneOf']])
    if (Array.isArray(alternatives)) for (const one of alternatives as unknown[]) collect(one, position);
  if (isAnyJson(schema)) found.get(path)?.add(anyJson);
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : [schema['const']];
  for (const value of values) if (typeof value === 'string') found.get(path)?.add(value);
  if (isRecord(items) && isAnyJson(items)) found.get(path)?.add(anyJson);
  else if (isRecord(items)) collect(items, { ...position, path: `${path}[]` });
  if (path !== '' && path.split('.').length >= maxDepth) return;
  for (const [name, field] of isRecord(properties) ? Object.entries(properties) : []) {
    const inner = path === '' ? name : `${path}.${name}`;
    if (!found.has(inner)) found.set(inner, new Set());
    collect(field, { ...position, path: inner });
  }
}

/** The value of a field that may be any JSON or any object: the fields in it are not defined. */
export const anyJson = '*';

function isAnyJson({ type, properties, additionalProperties, ...others }: Readonly<Record<string, unknown>>): boolean {
  if (properties !== undefined || type === 'array') return false;
  if (type === 'object' || isRecord(additionalProperties)) return additionalProperties !== false;
  return type === undefined && Object.keys(others).every((name) => name === 'description' || name === 'deprecated');
}

function resolve(document: unknown, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => (isRecord(node) ? node[name] : undefined), document);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
