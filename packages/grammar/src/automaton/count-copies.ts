/** A pattern of a token, or a node of a rule. Other kinds have no parts that are copied. */
type Copied =
  | { readonly kind: 'seq' | 'alt'; readonly items: readonly Copied[] }
  | { readonly kind: 'repeat'; readonly item: Copied; readonly min: number; readonly max: number }
  | { readonly kind: 'set' | 'start' | 'end' | 'terminal' | 'rule' | 'unordered' };

/**
 * The number of parts when all repetitions are written out. Nested counts multiply: it is checked before anything is built, so that
 * `(a{1000}){1000}` is refused at no cost. Parts can be shared: each is counted once.
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
