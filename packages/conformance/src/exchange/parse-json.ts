/** Maximum nesting of a response. Garbage collection of fifty thousand levels took a second per response. */
const MAX_DEPTH = 1000;

/** Parses JSON; undefined if it is invalid or nested too deeply. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at++;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '[' || character === '{') {
      if (++depth > MAX_DEPTH) return true;
    } else if (character === ']' || character === '}') depth--;
  }
  return false;
}
