import type { Breathe } from './prompt-tokens.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The tokens of a text: from memory, or encoded part by part. */
export type RememberedTokens = (text: string, breathe: Breathe) => Promise<Uint32Array>;

/** Holds at most `maxBytes` in two generations, and no text that would take an eighth of it. */
export function rememberedTokens(tokenizer: Tokenizer, maxBytes: number): RememberedTokens {
  let young = new Map<string, Uint32Array>();
  let old = new Map<string, Uint32Array>();
  let bytes = 0;
  const keep = (text: string, tokens: Uint32Array): void => {
    const weight = 2 * text.length + tokens.byteLength + 200;
    if (weight > maxBytes / 8) return;
    if (bytes + weight > maxBytes / 2) {
      old = young;
      young = new Map();
      bytes = 0;
    }
    young.set(text, tokens);
    bytes += weight;
  };
  return async (text, breathe) => {
    const recent = young.get(text);
    if (recent !== undefined) return recent;
    const tokens = old.get(text) ?? (await encoded(text, tokenizer, breathe));
    keep(text, tokens);
    return tokens;
  };
}

async function encoded(text: string, tokenizer: Tokenizer, breathe: Breathe): Promise<Uint32Array> {
  const all: number[] = [];
  for (const part of tokenizer.tokens(text)) {
    for (const id of part) all.push(id);
    const pause = breathe();
    if (pause !== undefined) await pause;
  }
  return Uint32Array.from(all);
}
