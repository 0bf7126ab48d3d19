/** The differences of a request to the recorded one, one line each. Ignores the paths in `ignore` and everything below them. */
export function differences(
  recorded: unknown,
  came: unknown,
  ignore: readonly string[] = [],
  path = '',
): readonly string[] {
  if (ignore.includes(path) || Object.is(recorded, came)) return [];
  if (isObject(recorded) && isObject(came)) {
    const names = [...new Set([...Object.keys(recorded), ...Object.keys(came)])];
    return names.flatMap((name) =>
      differences(
        recorded[name],
        came[name],
        ignore,
        Array.isArray(came) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`,
      ),
    );
  }
  return [`${path}: ${shown(recorded)} was recorded, ${shown(came)} came`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const longest = 200;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
