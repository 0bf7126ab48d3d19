/** The o200k tokenizer of `gpt-tokenizer`: the IDs that `logit_bias` maps made with tiktoken name. Loaded on first use (about 0.2 s). */
export interface Tokenizer {
  /** Token IDs of a text, part by part. Special tokens such as `<|endoftext|>` are plain text. The work of one part is bounded. */
  parts(text: string): Generator<readonly number[], void>;
  encode(text: string): number[];
  /** Tokens of bytes that may begin within a UTF-8 character. */
  encodeBytes(bytes: Uint8Array): number[];
  /** The token of a single byte. */
  byteToken(byte: number): number;
  /** The bytes of a token; empty for the end of the text. */
  bytes(id: number): Uint8Array;
}

/** Ids 0 to 199997 are text. */
export const textTokens = 199_998;
/** The token that ends a reply (`<|endoftext|>`). It has no text and is not counted. */
export const endOfText = 199_999;
/** Tokens that have a probability: all text tokens and the end of the text. */
export const vocabularySize = textTokens + 1;

export function isInVocabulary(id: number): boolean {
  return Number.isInteger(id) && id >= 0 && (id < textTokens || id === endOfText);
}

/** Maximum length of an encoded part in UTF-16 units: merging is quadratic in the length of a word (3 ms for 256 Chinese characters). */
export const maxPart = 256;
/** Words of several tokens whose tokens are remembered. A larger cache makes hits slower than merging (20 µs at 8,000). */
const mergeCacheSize = 1000;
const noSpecialTokens = { disallowedSpecial: new Set<string>() };

let loading: Promise<Tokenizer> | undefined;

export function loadTokenizer(): Promise<Tokenizer> {
  return (loading ??= load());
}

async function load(): Promise<Tokenizer> {
  const { default: tokens } = await import('gpt-tokenizer/bpeRanks/o200k_base');
  const { O200K_TOKEN_SPLIT_REGEX: words } = await import('gpt-tokenizer/encodingParams/constants');
  const { GptEncoding } = await import('gpt-tokenizer/GptEncoding');
  const api = GptEncoding.getEncodingApi('o200k_base', () => tokens);
  api.setMergeCacheSize(mergeCacheSize);
  const bytesOfToken = new Array<Uint8Array | undefined>(endOfText + 1);
  // The first 256 tokens are the single bytes.
  const byteTokens = new Map(tokens.slice(0, 256).map((token, id) => [Buffer.from(token)[0] ?? 0, id]));
  const byteToken = (byte: number): number => byteTokens.get(byte) ?? 0;

  function* parts(text: string): Generator<number[], void> {
    for (let start = 0; start < text.length;) {
      const end = partEnd(text, start, words);
      // A copy: the merge cache keeps slices of it, which would keep the whole text in memory.
      const part =
        start === 0 && end === text.length ? text : Buffer.from(text.slice(start, end), 'utf16le').toString('utf16le');
      yield api.encode(part.toWellFormed(), noSpecialTokens);
      start = end;
    }
  }
  const encode = (text: string): number[] => [...parts(text)].flat();

  return {
    ...{ parts, encode, byteToken },
    encodeBytes(bytes) {
      let whole = 0;
      while (((bytes[whole] ?? 0) & 0xc0) === 0x80) whole++;
      const continuation = Array.from(bytes.subarray(0, whole), byteToken);
      return [...continuation, ...encode(new TextDecoder().decode(bytes.subarray(whole)))];
    },
    bytes(id) {
      const token = id === endOfText ? '' : (tokens[id] ?? '');
      return (bytesOfToken[id] ??= typeof token === 'string' ? Buffer.from(token) : Uint8Array.from(token));
    },
  };
}

/** Before a blank that follows a word, else before the last word, else within a word, which can cost one token more. */
function partEnd(text: string, start: number, words: RegExp): number {
  if (text.length - start <= maxPart) return text.length;
  const end = start + maxPart - (/[\ud800-\udbff]/.test(text.charAt(start + maxPart - 1)) ? 1 : 0);
  for (let at = end; at > start; at--) {
    if (/[ \t]/.test(text.charAt(at)) && /\S/.test(text.charAt(at - 1))) return at;
  }
  const last = [...text.slice(start, end).matchAll(words)].at(-1)?.index ?? 0;
  return last === 0 ? end : start + last;
}
