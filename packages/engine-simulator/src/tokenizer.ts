import { bytePairs, isAscii, utf8 } from './byte-pairs.ts';
import { rememberedCounts } from './remembered-counts.ts';
import { eachWord, pieces } from './word-split.ts';

/**
 * The o200k tokenizer with the tokens of `gpt-tokenizer`, loaded once and on first use (about 160 ms), behind what the simulator needs.
 * Its ids are the ones that callers' `logit_bias` maps made with tiktoken mean.
 */
export interface Tokenizer {
  /** Token ids of a text; special tokens such as `<|endoftext|>` are plain text here. Linear in the text. */
  encode(text: string): number[];
  /** The same part by part: the caller may breathe between two parts. */
  tokens(text: string): Generator<readonly number[], void>;
  /** The text of a token, or its bytes where they are no whole UTF-8 text. */
  piece(id: number): string | readonly number[];
  /** The bytes of a token; none of the end of the text. */
  bytes(id: number): Uint8Array;
  /** Tokens of bytes that need not begin with a whole character. */
  encodeBytes(bytes: Uint8Array): number[];
  /** Token counts of a text, part by part: the caller may breathe between two parts. */
  counts(text: string): Generator<number, void>;
}

/** Ids 0 to 199997 are text. */
export const textTokens = 199_998;
/** The token that ends a reply (`<|endoftext|>`). It has no text and is never counted. */
export const endOfText = 199_999;
/** How many tokens the simulator gives a probability: all text tokens and the end. */
export const vocabulary = textTokens + 1;

/** Can the simulator say this token? The other special ids of o200k are not in its vocabulary. */
export function inVocabulary(id: number): boolean {
  return Number.isInteger(id) && id >= 0 && (id < textTokens || id === endOfText);
}

/** What the counts of words that are several tokens may take. */
const wordCacheBytes = 2 * 1024 * 1024;

let loaded: Promise<Tokenizer> | undefined;

export function loadTokenizer(): Promise<Tokenizer> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Tokenizer> {
  const { default: tokens } = await import('gpt-tokenizer/bpeRanks/o200k_base');
  const { O200K_TOKEN_SPLIT_REGEX: pattern } = await import('gpt-tokenizer/encodingParams/constants');
  // A copy: whoever else uses theirs would begin where we were.
  const split = new RegExp(pattern);
  const pairs = bytePairs(tokens);
  const known = rememberedCounts(wordCacheBytes);

  const tokensOf = (word: string): number[] => {
    const bytes = utf8(word);
    const id = pairs.find(bytes);
    return id === undefined ? pairs.merge(bytes) : [id];
  };
  const countWord = (word: string): number => {
    if (isAscii(word) && pairs.find(word) !== undefined) return 1;
    let count = known.get(word);
    if (count === undefined) known.set(word, (count = tokensOf(word).length));
    return count;
  };

  const encodePiece = (piece: string, ids: number[]): void =>
    eachWord(piece, split, (word) => {
      for (const id of tokensOf(word)) ids.push(id);
    });
  const encode = (text: string): number[] => {
    const ids: number[] = [];
    for (const piece of pieces(text, split)) encodePiece(piece, ids);
    return ids;
  };
  const bytesOf = new Array<Uint8Array | undefined>(endOfText + 1);
  const encoder = new TextEncoder();

  return {
    encode,
    *tokens(text) {
      for (const piece of pieces(text, split)) {
        const ids: number[] = [];
        encodePiece(piece, ids);
        yield ids;
      }
    },
    bytes(id) {
      let bytes = bytesOf[id];
      if (bytes === undefined) {
        const piece = id === endOfText ? '' : (tokens[id] ?? '');
        bytesOf[id] = bytes = typeof piece === 'string' ? encoder.encode(piece) : Uint8Array.from(piece);
      }
      return bytes;
    },
    encodeBytes(bytes) {
      let whole = 0;
      while (((bytes[whole] ?? 0) & 0xc0) === 0x80) whole++;
      const torn = Array.from(bytes.subarray(0, whole), (byte) => pairs.find(String.fromCharCode(byte)) ?? 0);
      return [...torn, ...encode(new TextDecoder().decode(bytes.subarray(whole)))];
    },
    piece(id) {
      const piece = tokens[id];
      if (piece === undefined) throw new RangeError(`no token ${id}`);
      return piece;
    },
    *counts(text) {
      for (const piece of pieces(text, split)) {
        let count = 0;
        eachWord(piece, split, (word) => (count += countWord(word)));
        yield count;
      }
    },
  };
}
