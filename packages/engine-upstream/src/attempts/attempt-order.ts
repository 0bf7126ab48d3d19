/** A candidate for a request, with its weight. */
export interface Weighted {
  readonly weight: number;
}

/**
 * The order in which a request tries servers: those that share the load in weighted random order, then the fallback in the configured order.
 * Servers of weight 0 come after the other ones that share the load.
 */
export function attemptOrder<T extends Weighted>(
  shared: readonly T[],
  fallback: readonly T[],
  random: () => number,
): readonly T[] {
  if (shared.length < 2) return [...shared, ...fallback];
  const remaining = [...shared];
  const order: T[] = [];
  while (remaining.length > 0) order.push(...remaining.splice(drawIndex(remaining, random), 1));
  return [...order, ...fallback];
}

function drawIndex(targets: readonly Weighted[], random: () => number): number {
  let point = random() * targets.reduce((sum, { weight }) => sum + weight, 0);
  for (const [index, { weight }] of targets.entries()) {
    if (point < weight) return index;
    point -= weight;
  }
  return 0;
}
