import { parseJson } from '@modelwire/adapter-kit';

/** The arguments of a call as the text that the API defines: some servers send an object, or null. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  const text = JSON.stringify(value);
  // Deltas with the actual arguments may follow an empty object.
  return text === '{}' ? '' : text;
}

/** Whether arguments are complete: the first bracket that was opened is closed. False for an empty text. */
export function areComplete(text: string): boolean {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return trimmed !== '' && parseJson(trimmed) !== undefined;
  let depth = 0;
  // Strings, with their escapes, may contain brackets.
  for (const [token] of trimmed.matchAll(/"(?:[^"\\]|\\.)*(?:"|$)|[[\]{}]/gs)) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
  }
  return depth === 0 && /[\]}]$/.test(trimmed);
}
