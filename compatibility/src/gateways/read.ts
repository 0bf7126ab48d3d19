/** The value at a path of keys and indices; undefined if there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Readonly<Record<string | number, unknown>>)[key];
  }
  return current;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** @throws an error with the message, which says what was received. */
export function expect(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}
