const largest = 256;

/**
 * In groups of 256, and the rest in smaller powers of two: one statement for each, so that there are few shapes to be compiled and
 * planned, whatever the number of rows.
 */
export function inGroups<Item>(items: readonly Item[]): (readonly Item[])[] {
  const groups: (readonly Item[])[] = [];
  let size = largest;
  for (let from = 0; from < items.length; from += size) {
    while (size > items.length - from) size /= 2;
    groups.push(items.slice(from, from + size));
  }
  return groups;
}
