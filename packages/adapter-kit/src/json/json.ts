/** Whether a value is a JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a content type is JSON: `application/json`, or a type that ends with `+json`, with any parameters. */
export function isJsonType(contentType: string | null | undefined): boolean {
  if (contentType === 'application/json') return true;
  return /^\s*application\/(?:[^\s;]+\+)?json\s*(?:;|$)/i.test(contentType ?? '');
}

/** Whether the character at a position in a string of JSON follows an odd number of backslashes. */
export function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === 0x5c) before--;
  return (at - before) % 2 === 0;
}
