/** The same JSON document, counting every look at it. An object that occurs several times stays one object. */
export function countReads<Document>(document: Document): { readonly document: Document; reads(): number } {
  let reads = 0;
  const known = new WeakMap<object, object>();
  const observe = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const before = known.get(value);
    if (before) return before;
    const copy: object = Array.isArray(value)
      ? value.map(observe)
      : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, observe(inner)]));
    const proxy = new Proxy(copy, {
      ownKeys: (target) => (reads++, Reflect.ownKeys(target)),
      has: (target, key) => (reads++, Reflect.has(target, key)),
      getOwnPropertyDescriptor: (target, key) => (reads++, Reflect.getOwnPropertyDescriptor(target, key)),
      get: (target, key, receiver): unknown => (reads++, Reflect.get(target, key, receiver)),
    });
    known.set(value, proxy);
    return proxy;
  };
  return { document: observe(document) as Document, reads: () => reads };
}
