/** A JSON value as a Python expression, for a place that is indented by `depth` levels of four spaces. */
export function pythonLiteral(value: unknown, depth: number): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const indent = '    '.repeat(depth);
  const entries = Object.entries(value).map(([name, entry]) => {
    const text = pythonLiteral(entry, depth + 1);
    return `${indent}    ${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${text},\n`;
  });
  return entries.length === 0 ? `${open}${close}` : `${open}\n${entries.join('')}${indent}${close}`;
}
