import { hash } from 'node:crypto';
import { createBoundedMap } from '@modelwire/adapter-kit';
import type { Pause } from '@modelwire/adapter-kit';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { segmentsOf } from './segments.ts';
import type { Prompt } from './segments.ts';

export type TokenCounter = ReturnType<typeof createTokenCounter>;

/** Tokens that start the reply. */
export const perReply = 3;
/** Number of new UTF-16 units that are encoded without a pause: about a millisecond. */
const maxUnitsNow = 8192;

/** Maximum number of tokens that are passed on at once. */
const maxSliceTokens = 1024;

type UseTokens = (ids: ArrayLike<number>) => void;

function* slices(ids: Int32Array | Uint32Array): Generator<ArrayLike<number>, void> {
  for (let at = 0; at < ids.length; at += maxSliceTokens) yield ids.subarray(at, at + maxSliceTokens);
}

/** Encodes prompts. Caches the tokens of texts, so that a repeated text is almost free. */
export function createTokenCounter(tokenizer: Tokenizer, maxBytes = 16 * 1024 * 1024) {
  const known = createBoundedMap<string, Uint32Array>(maxBytes);
  const maxEntryBytes = maxBytes / 8;
  const remember = (text: string, ids: Uint32Array): Uint32Array => {
    const size = 2 * text.length + ids.byteLength + 200;
    if (size <= maxEntryBytes) known.set(text, ids, size);
    return ids;
  };
  /** The tokens of a text that was encoded before. They become the most recently set ones. */
  const remembered = (text: string): Uint32Array | undefined => {
    const ids = known.get(text);
    return ids && remember(text, ids);
  };
  const encodeText = async (text: string, pause: Pause, use: UseTokens): Promise<void> => {
    // The tokens of a long text are not collected: they take more memory than the text.
    const ids: number[] | undefined = 2 * text.length <= maxEntryBytes ? [] : undefined;
    for (const part of tokenizer.parts(text)) {
      use(part);
      ids?.push(...part);
      await pause();
    }
    if (ids) remember(text, Uint32Array.from(ids));
  };
  /**
   * Passes on the tokens of a prompt in their order, a few at a time, without those that start the reply. The additional ones of a kind are
   * all the same negative number.
   */
  const encode = async (prompt: Prompt, pause: Pause, use: UseTokens): Promise<void> => {
    for (const { text, extraTokens, kind } of segmentsOf(prompt)) {
      const mark = hash('sha256', kind, 'buffer').readInt32LE() | 0x8000_0000;
      for (const ids of slices(new Int32Array(extraTokens).fill(mark))) use(ids);
      const encoded = remembered(text);
      if (!encoded) await encodeText(text, pause, use);
      else {
        for (const ids of slices(encoded)) {
          use(ids);
          await pause();
        }
      }
    }
  };
  return {
    encode,
    /** The number of tokens of a prompt. */
    async count(prompt: Prompt, pause: Pause): Promise<number> {
      let total = perReply;
      await encode(prompt, pause, ({ length }) => void (total += length));
      return total;
    },
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
