/**
 * An object of these members that lists its names in this order, also to `JSON.stringify`. Objects list names that look like integers first and
 * sorted, so those whose order differs are proxies; a copy of one has the order of plain objects again.
 */
export function orderedObject(members: readonly (readonly [name: string, value: unknown])[]): Record<string, unknown> {
  const object = Object.fromEntries(members);
  const written = members.map(([name]) => name);
  if (listsInOrder(object, written)) return object;
  return new Proxy(object, {
    ownKeys(target) {
      const keys = Reflect.ownKeys(target);
      // Nearly no object was changed since.
      if (keys.length === written.length && written.every((name) => Object.hasOwn(target, name))) return written;
      const own = new Set(keys);
      const inOrder = written.filter((name) => own.delete(name));
      return [...inOrder, ...own];
    },
  });
}

/** Whether an object of these names lists them in this order. */
export function listsInOrder(object: object, names: readonly string[]): boolean {
  return Object.keys(object).every((name, index) => name === names[index]);
}
