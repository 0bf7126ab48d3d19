/** A pattern of a terminal, or a node of a rule. */
type Copied =
  | { readonly kind: 'seq' | 'alt'; readonly items: readonly Copied[] }
  | { readonly kind: 'repeat'; readonly item: Copied; readonly min: number; readonly max: number }
  | { readonly kind: 'set' | 'start' | 'end' | 'terminal' | 'rule' | 'unordered' };

/**
 * The number of parts after all repetitions have been expanded. Nested counts multiply, so this is checked before anything is built:
 * `(a{1000}){1000}` is rejected at no cost. A shared part is counted once.
 */
export function countCopies(part: Copied, countByPart = new Map<Copied, number>()): number {
  switch (part.kind) {
    case 'seq':
    case 'alt':
    case 'repeat': {
      let count = countByPart.get(part);
      if (count === undefined) {
        count =
          part.kind === 'repeat'
            ? countCopies(part.item, countByPart) * Math.max(part.max === Infinity ? part.min + 1 : part.max, 1)
            : part.items.reduce((sum, item) => sum + countCopies(item, countByPart), 1);
        countByPart.set(part, count);
      }
      return count;
    }
    default:
      return 1;
  }
}
