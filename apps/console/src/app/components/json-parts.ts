/** A part of a JSON text, for highlighting. */
export interface JsonPart {
  readonly text: string;
  readonly kind?: 'key' | 'string' | 'literal';
}

const pattern = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Longer texts are one part, because each part is an element of the page. */
const maxLength = 50_000;

/** The parts of a text that may be incomplete JSON. Together they are the text. */
export function jsonParts(text: string): readonly JsonPart[] {
  if (text.length > maxLength) return [{ text }];
  const parts: JsonPart[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, string, colon = ''] = match;
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    if (string === undefined) parts.push({ text: whole, kind: 'literal' });
    else {
      parts.push({ text: string, kind: colon === '' ? 'string' : 'key' });
      if (colon !== '') parts.push({ text: colon });
    }
    end = match.index + whole.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** Why a text is not the expected JSON; undefined if it is, or empty. */
export function jsonProblem(text: string, expected: 'array' | 'object'): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const kind = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
    return kind === expected
      ? undefined
      : `Expected an ${expected}, but this is ${kind === 'null' ? 'null' : `of type ${kind}`}.`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
