import type { Pause } from '@modelwire/ports';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { segmentsOf } from './segments.ts';
import type { Prompt } from './segments.ts';

export type TokenCounter = ReturnType<typeof createTokenCounter>;

/** Tokens that start the reply. */
const perReply = 3;
/** Number of new UTF-16 units that are encoded without a pause: about a millisecond. */
const maxUnitsNow = 8192;

/** Counts and encodes prompts. Caches the tokens of texts, so that a repeated text is almost free. */
export function createTokenCounter(tokenizer: Tokenizer, maxBytes = 16 * 1024 * 1024) {
  // Two generations instead of an order of use: when the recent one is full it becomes the older one. A hit only reads.
  let recent = new Map<string, Uint32Array>();
  let older = new Map<string, Uint32Array>();
  let bytes = 0;
  const remember = (text: string, tokens: Uint32Array): Uint32Array => {
    const size = 2 * text.length + tokens.byteLength + 200;
    if (size > maxBytes / 8) return tokens;
    if (bytes + size > maxBytes / 2) [older, recent, bytes] = [recent, new Map<string, Uint32Array>(), 0];
    recent.set(text, tokens);
    bytes += size;
    return tokens;
  };
  const remembered = (text: string): Uint32Array | undefined => {
    const known = recent.get(text);
    const before = known ? undefined : older.get(text);
    return before ? remember(text, before) : known;
  };
  /** Long texts that are being encoded: the choices of a request start together. */
  const running = new Map<string, Promise<Uint32Array>>();
  const encode = async (text: string, pause: Pause): Promise<Uint32Array> => {
    for (let other = running.get(text); other; other = running.get(text)) {
      const tokens = await other.catch(() => undefined);
      if (tokens) return tokens;
      // The other request was aborted.
      await pause();
    }
    const known = remembered(text);
    if (known) return known;
    const encoding = encodeInSteps(text, pause);
    running.set(text, encoding);
    try {
      return await encoding;
    } finally {
      running.delete(text);
    }
  };
  const encodeInSteps = async (text: string, pause: Pause): Promise<Uint32Array> => {
    const ids: number[] = [];
    for (const part of tokenizer.parts(text)) {
      ids.push(...part);
      await pause();
    }
    return remember(text, Uint32Array.from(ids));
  };
  return {
    encode,
    /** The tokens of a prompt, if its texts are short or were counted before; else undefined. */
    countNow(prompt: Prompt): number | undefined {
      let total = perReply;
      let unitsLeft = maxUnitsNow;
      for (const { text, extraTokens } of segmentsOf(prompt)) {
        const known = remembered(text);
        if (!known && (unitsLeft -= text.length) < 0) return undefined;
        total += extraTokens + (known ?? remember(text, Uint32Array.from(tokenizer.encode(text)))).length;
      }
      return total;
    },
    async count(prompt: Prompt, pause: Pause): Promise<number> {
      let total = perReply;
      for (const { text, extraTokens } of segmentsOf(prompt)) total += extraTokens + (await encode(text, pause)).length;
      return total;
    },
  };
}
