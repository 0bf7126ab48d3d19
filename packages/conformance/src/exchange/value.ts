/** The value at a path of a JSON value, or undefined. Only own properties count. */
export function valueAt(root: unknown, ...path: PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    const index = typeof key === 'number' && key < 0 && Array.isArray(value) ? value.length + key : key;
    value = Object.getOwnPropertyDescriptor(value, index)?.value;
  }
  return value;
}

/** The string at a path of a JSON value, or undefined. */
export function textAt(root: unknown, ...path: PropertyKey[]): string | undefined {
  const value = valueAt(root, ...path);
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(root: unknown, ...path: PropertyKey[]): number | undefined {
  const value = valueAt(root, ...path);
  return typeof value === 'number' ? value : undefined;
}

/** The array at a path, or an empty one. */
export function listAt(root: unknown, ...path: PropertyKey[]): readonly unknown[] {
  const value: unknown = valueAt(root, ...path);
  return Array.isArray(value) ? value : [];
}

export const hasKey = (root: unknown, key: string): boolean =>
  typeof root === 'object' && root !== null && Object.hasOwn(root, key);

/** A value that a server sent as a short text. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'missing';
  if (typeof value === 'string') return `'${value.slice(0, 80)}'`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value);
}

/** The properties of an object, or an empty object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
