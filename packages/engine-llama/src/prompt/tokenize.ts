import { setImmediate } from 'node:timers/promises';
import type { LlamaModel, Token } from 'node-llama-cpp';

/** The number of characters that are tokenized without yielding to the event loop: about 10 milliseconds. */
const maxPart = 16_384;

/** Tokenizes a text in parts, and yields to the event loop between them. */
export async function* tokenizeParts(
  text: string,
  tokenize: (part: string) => readonly Token[],
  signal: AbortSignal,
): AsyncGenerator<readonly Token[], void, undefined> {
  for (let start = 0; start < text.length;) {
    if (start > 0) await setImmediate(undefined, { signal });
    const part = text.slice(start, endOfPart(text, start));
    yield tokenize(part);
    start += part.length;
  }
}

/** The first tokens of a text that is expected in a reply, as many as fit into the context. Control tokens in it are plain text. */
export async function tokenizePrediction(
  { model, contextSize }: { readonly model: LlamaModel; readonly contextSize: number },
  text: string,
  signal: AbortSignal,
): Promise<readonly Token[]> {
  const tokens: Token[] = [];
  for await (const part of tokenizeParts(text, (one) => model.tokenize(one, false, 'trimLeadingSpace'), signal)) {
    for (const token of part) tokens.push(token);
    if (tokens.length > contextSize) break;
  }
  return tokens;
}

/** The end of the part that starts here: between words where possible. */
function endOfPart(text: string, start: number): number {
  const limit = start + maxPart;
  if (text.length <= limit) return text.length;
  const space = Math.max(text.lastIndexOf(' ', limit), text.lastIndexOf('\n', limit));
  if (space > start + maxPart / 2) return space;
  // Does not split a surrogate pair.
  return /[\udc00-\udfff]/.test(text.charAt(limit)) ? limit - 1 : limit;
}
