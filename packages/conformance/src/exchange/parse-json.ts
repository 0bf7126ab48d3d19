/** Maximum nesting of a response. Garbage collection of fifty thousand levels took a second per response. */
const DEPTH_MAX = 1000;

/** Parses JSON; undefined if it is invalid or nested too deeply. */
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
