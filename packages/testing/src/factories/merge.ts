/** A partial value at any depth. Lists are replaced; their items are completed from those of the default. */
export type Part<Value> = Value extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: Part<Value[Name]> | undefined }
    : Value;

type Json = Readonly<Record<string, unknown>>;

/**
 * Merges `overrides` into `base`. Objects are merged recursively. A list replaces a list; each of its objects is merged with the one at the
 * same index of `base`, or with the last one. An object whose `type`, `role` or `object` differs replaces the other. Fields that are
 * undefined in `overrides` are removed.
 */
export function merged(base: unknown, overrides: unknown): unknown {
  if (Array.isArray(overrides)) {
    const items: readonly unknown[] = Array.isArray(base) ? base : [];
    return overrides.map((item: unknown, index) => merged(items[Math.min(index, items.length - 1)], item));
  }
  if (!isObject(overrides)) return overrides;
  if (!isObject(base) || kinds.some((kind) => kind in overrides && kind in base && overrides[kind] !== base[kind])) {
    return Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined));
  }
  // A map, so that a field named `__proto__` is an ordinary field.
  const fields = new Map<string, unknown>(Object.entries(base));
  for (const [name, value] of Object.entries(overrides)) {
    if (value === undefined) fields.delete(name);
    else fields.set(name, merged(fields.get(name), value));
  }
  return Object.fromEntries(fields);
}

const kinds = ['type', 'role', 'object'] as const;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}
