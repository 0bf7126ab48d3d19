/** Whether one of the patterns matches an ID completely; `*` is any text. */
export function patternTest(patterns: readonly string[]): (id: string) => boolean {
  const expressions = patterns.map(
    (pattern) => new RegExp(`^${pattern.replace(/[.[\]]/g, '\\$&').replaceAll('*', '.*')}$`),
  );
  return (id) => expressions.some((expression) => expression.test(id));
}
