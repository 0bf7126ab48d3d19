/** All texts of a template, in a fixed mixed order. */
export function expand(template: string, limit: number): string[] {
  const parts = template.split(/\{([^}]*)\}/).map((part, i) => (i % 2 === 0 ? [part] : part.split('|')));
  const total = parts.reduce((product, choices) => product * choices.length, 1);
  // A stride coprime to the total visits all of it.
  let stride = Math.max(1, Math.floor(total * 0.618));
  while (total > 1 && common(stride, total) !== 1) stride++;
  return Array.from({ length: Math.min(limit, total) }, (_, i) => {
    let rest = (i * stride) % total;
    return parts
      .map((choices) => {
        const choice = choices[rest % choices.length] ?? '';
        rest = Math.floor(rest / choices.length);
        return choice;
      })
      .join('')
      .trim();
  });
}

function common(a: number, b: number): number {
  return b === 0 ? a : common(b, a % b);
}
