/** The name that was probably meant, or none that is near enough. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const lower = word.toLowerCase();
  let best: string | undefined;
  // A third of the word may be wrong, and one letter always: "ls" is not "me".
  let least = Math.max(1, Math.floor(lower.length / 3)) + 1;
  for (const name of names) {
    const steps = distance(lower, name.toLowerCase());
    if (steps < least) [best, least] = [name, steps];
  }
  return best ?? (lower.length >= 3 ? names.find((name) => name.toLowerCase().startsWith(lower)) : undefined);
}

/** Letters to add, drop, change, or swap with their neighbour. */
export function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let steps = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        steps = Math.min(steps, (before[j - 2] ?? 0) + 1);
      }
      row.push(steps);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
