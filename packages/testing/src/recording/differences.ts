/** The differences of a request to the recorded one, one line each. Ignores the paths in `ignore` and everything below them. */
export function differences(
  recorded: unknown,
  actual: unknown,
  ignore: readonly string[] = [],
  path = '',
): readonly string[] {
  if (ignore.includes(path) || Object.is(recorded, actual)) return [];
  if (isObject(recorded) && isObject(actual)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(actual)])];
    return names.flatMap((name) =>
      differences(
        recorded[name],
        actual[name],
        ignore,
        Array.isArray(actual) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`,
      ),
    );
  }
  return [`${path}: recorded ${format(recorded)}, received ${format(actual)}`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const maxLength = 200;

function format(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
