/** What stands at a path of a JSON value; undefined when nothing does. Only own fields count. */
export function valueAt(root: unknown, ...path: PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    const place = typeof key === 'number' && key < 0 && Array.isArray(value) ? value.length + key : key;
    value = Object.getOwnPropertyDescriptor(value, place)?.value;
  }
  return value;
}

/** The text at a path of a JSON value; undefined where there is none. */
export function textAt(root: unknown, ...path: PropertyKey[]): string | undefined {
  const value = valueAt(root, ...path);
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(root: unknown, ...path: PropertyKey[]): number | undefined {
  const value = valueAt(root, ...path);
  return typeof value === 'number' ? value : undefined;
}

/** The list at a path; an empty one where there is none. */
export function listAt(root: unknown, ...path: PropertyKey[]): readonly unknown[] {
  const value: unknown = valueAt(root, ...path);
  return Array.isArray(value) ? value : [];
}

export const has = (root: unknown, key: string): boolean =>
  typeof root === 'object' && root !== null && Object.hasOwn(root, key);

/** The fields of an object; none where it is none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
