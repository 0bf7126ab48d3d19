import { isRecord } from '@modelwire/ports';

/** The objects in an array; empty for other values. */
export function objectItems(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Maximum depth of a reply: serialising values with thousands of levels overflows the stack. */
const maxDepth = 512;

/** Whether a JSON text is nested more than 512 levels deep. Short texts, which cannot be, are not scanned. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * maxDepth) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = findClosingQuote(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
    }
  }
  return false;
}

/** The end of the string that starts at `open`. */
function findClosingQuote(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === 0x5c) before--;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
