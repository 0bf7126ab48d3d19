/** A partial value at any depth. Lists are replaced; their items are completed from those of the default. */
export type Part<Value> = Value extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]?: Part<Value[Name]> | undefined }
    : Value;

type Json = Readonly<Record<string, unknown>>;

/**
 * Merges `over` into `base`. Objects are merged recursively. A list replaces a list; each of its objects is merged with the one at the
 * same index of `base`, or with the last one. An object whose `type`, `role` or `object` differs replaces the other. Fields that are
 * undefined in `over` are removed.
 */
export function merged(base: unknown, over: unknown): unknown {
  if (Array.isArray(over)) {
    const items: readonly unknown[] = Array.isArray(base) ? base : [];
    return over.map((one: unknown, index) => merged(items[Math.min(index, items.length - 1)], one));
  }
  if (!isObject(over)) return over;
  if (!isObject(base) || kinds.some((kind) => kind in over && kind in base && over[kind] !== base[kind])) {
    return Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined));
  }
  // A map, so that a field named `__proto__` is an ordinary field.
  const all = new Map<string, unknown>(Object.entries(base));
  for (const [name, value] of Object.entries(over)) {
    if (value === undefined) all.delete(name);
    else all.set(name, merged(all.get(name), value));
  }
  return Object.fromEntries(all);
}

const kinds = ['type', 'role', 'object'] as const;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array);
}
