/** The first characters of a JSON value. Not the start of its JSON, which can have megabytes, such as images. */
export function valueStart(value: unknown, length: number): string {
  if (typeof value === 'string') return value.slice(0, length);
  if (typeof value !== 'object' || value === null) return String(value);
  let start = '';
  for (const [name, item] of Object.entries(value)) {
    if (start.length >= length) break;
    start += `${name}: ${valueStart(item, length - start.length)}, `;
  }
  return start;
}
