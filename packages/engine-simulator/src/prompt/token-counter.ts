import { hash } from 'node:crypto';
import type { Pause } from '@modelwire/ports';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { segmentsOf } from './segments.ts';
import type { Prompt } from './segments.ts';

export type TokenCounter = ReturnType<typeof createTokenCounter>;

/** Tokens that start the reply. */
export const perReply = 3;
/** Number of new UTF-16 units that are encoded without a pause: about a millisecond. */
const maxUnitsNow = 8192;

/** Encodes prompts. Caches the tokens of texts, so that a repeated text is almost free. */
export function createTokenCounter(tokenizer: Tokenizer, maxBytes = 16 * 1024 * 1024) {
  /** The least recently used first. */
  const known = new Map<string, Uint32Array>();
  let bytes = 0;
  const sizeOf = (text: string, ids: Uint32Array): number => 2 * text.length + ids.byteLength + 200;
  const remember = (text: string, ids: Uint32Array): Uint32Array => {
    if (known.has(text) || sizeOf(text, ids) > maxBytes / 8) return ids;
    known.set(text, ids);
    bytes += sizeOf(text, ids);
    for (const [oldest, tokens] of known) {
      if (bytes <= maxBytes) break;
      known.delete(oldest);
      bytes -= sizeOf(oldest, tokens);
    }
    return ids;
  };
  const remembered = (text: string): Uint32Array | undefined => {
    const ids = known.get(text);
    if (ids && known.delete(text)) known.set(text, ids);
    return ids;
  };
  const encodeText = async (text: string, pause: Pause): Promise<Uint32Array> => {
    const ids: number[] = [];
    for (const part of tokenizer.parts(text)) {
      ids.push(...part);
      await pause();
    }
    return remember(text, Uint32Array.from(ids));
  };
  return {
    /** The tokens of a prompt, if its texts are short or were encoded before; else undefined. */
    countNow(prompt: Prompt): number | undefined {
      let [total, unitsLeft] = [perReply, maxUnitsNow];
      for (const { text, extraTokens } of segmentsOf(prompt)) {
        const ids = remembered(text);
        if (!ids && (unitsLeft -= text.length) < 0) return undefined;
        total += extraTokens + (ids ?? remember(text, Uint32Array.from(tokenizer.encode(text)))).length;
      }
      return total;
    },
    /** The tokens of a prompt, without those that start the reply. Tokens in addition to texts are numbers that stand for their kind. */
    async encode(prompt: Prompt, pause: Pause): Promise<readonly number[]> {
      const all: number[] = [];
      for (const { text, extraTokens, kind } of segmentsOf(prompt)) {
        const mark = -hash('sha256', kind, 'buffer').readUInt32LE();
        for (let i = 0; i < extraTokens; i++) all.push(mark);
        for (const id of remembered(text) ?? (await encodeText(text, pause))) all.push(id);
      }
      return all;
    },
  };
}
