/** Maximum length of a word that is compared: the time grows with the product of both lengths, and names are shorter. */
const WORD_MAX = 100;

/** The most similar name, for suggestions, or `undefined` if none is similar enough. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > WORD_MAX) return undefined;
  const lower = word.toLowerCase();
  let best: string | undefined;
  // Up to a third of the letters, but at least one, can differ; not all of them.
  let threshold = Math.min(Math.max(1, Math.floor(lower.length / 3)), lower.length - 1) + 1;
  for (const name of names) {
    const steps = distance(lower, name.toLowerCase());
    if (steps < threshold) [best, threshold] = [name, steps];
  }
  return best ?? (lower.length >= 3 ? names.find((name) => name.toLowerCase().startsWith(lower)) : undefined);
}

/** Edit distance: letters to insert, delete, replace, or swap with their neighbor (optimal string alignment). */
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
