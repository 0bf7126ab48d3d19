import { hash } from 'node:crypto';
import { createBoundedMap } from '@modelwire/ports';
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
  const known = createBoundedMap<string, Uint32Array>(maxBytes);
  const remember = (text: string, ids: Uint32Array): Uint32Array => {
    const size = 2 * text.length + ids.byteLength + 200;
    if (size <= maxBytes / 8) known.set(text, ids, size);
    return ids;
  };
  /** The tokens of a text that was encoded before. They become the most recently set ones. */
  const remembered = (text: string): Uint32Array | undefined => {
    const ids = known.get(text);
    return ids && remember(text, ids);
  };
  const encodeText = async (text: string, pause: Pause): Promise<Uint32Array> => {
    const ids: number[] = [];
    for (const part of tokenizer.parts(text)) {
      ids.push(...part);
      await pause();
    }
    return remember(text, Uint32Array.from(ids));
  };
  /** The tokens of a prompt, without those that start the reply. The additional ones of a kind are all the same negative number. */
  const encode = async (prompt: Prompt, pause: Pause): Promise<readonly number[]> => {
    const all: number[] = [];
    for (const { text, extraTokens, kind } of segmentsOf(prompt)) {
      const mark = -hash('sha256', kind, 'buffer').readUInt32LE();
      for (let i = 0; i < extraTokens; i++) all.push(mark);
      for (const id of remembered(text) ?? (await encodeText(text, pause))) all.push(id);
    }
    return all;
  };
  return {
    encode,
    /** The number of tokens of a prompt. */
    count: async (prompt: Prompt, pause: Pause): Promise<number> => (await encode(prompt, pause)).length + perReply,
    /** The number of tokens of a prompt, if its texts are short or were encoded before; else undefined. */
    countNow(prompt: Prompt): number | undefined {
      let [total, unitsLeft] = [perReply, maxUnitsNow];
      for (const { text, extraTokens } of segmentsOf(prompt)) {
        const ids = remembered(text);
        if (!ids && (unitsLeft -= text.length) < 0) return undefined;
        total += extraTokens + (ids ?? remember(text, Uint32Array.from(tokenizer.encode(text)))).length;
      }
      return total;
    },
  };
}
