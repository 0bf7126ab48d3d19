const largest = 256;

/**
 * Divides items into groups of 256 and smaller powers of two. With one statement for each group, few statement shapes are compiled and
 * planned, whatever the number of rows. `largestGroup`: a power of two.
 */
export function inGroups<Item>(items: readonly Item[], largestGroup = largest): (readonly Item[])[] {
  const groups: (readonly Item[])[] = [];
  let size = largestGroup;
  for (let from = 0; from < items.length; from += size) {
    while (size > items.length - from) size /= 2;
    groups.push(items.slice(from, from + size));
  }
  return groups;
}
