/** How deep an answer may nest. Fifty thousand levels took a second to collect again, for each answer. */
const DEPTH_MAX = 1000;

/** The value of a JSON text; undefined where it is none, or nests deeper than any answer of the interface. */
export function parseJson(text: string): unknown {
  if (isDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeep(text: string): boolean {
  if (text.length <= DEPTH_MAX) return false;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at++;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '[' || sign === '{') {
      if (++depth > DEPTH_MAX) return true;
    } else if (sign === ']' || sign === '}') depth--;
  }
  return false;
}
