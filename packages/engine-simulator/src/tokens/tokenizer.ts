import { tokenForm } from '@modelwire/adapter-kit/internal';

/** The o200k tokenizer of `gpt-tokenizer`: the IDs that `logit_bias` maps made with tiktoken name. */
export type Tokenizer = Awaited<ReturnType<typeof load>>;

/** Ids 0 to 199997 are text. */
const textTokens = 199_998;
/** The token that ends a reply (`<|endoftext|>`). It has no text and is not counted. */
export const endOfText = 199_999;

export function isInVocabulary(id: number): boolean {
  return Number.isInteger(id) && ((id >= 0 && id < textTokens) || id === endOfText);
}

/** Maximum length of an encoded part in UTF-16 units: merging is quadratic in the length of a word (3 ms for 256 Chinese characters). */
export const maxPart = 256;
/** Words of several tokens whose tokens are remembered. A larger cache makes hits slower than merging (20 µs at 8,000). */
const mergeCacheSize = 1000;
const noSpecialTokens = { disallowedSpecial: new Set<string>() };
/** What comes into a reply where it deviates from its template. A token each. */
const commonWords =
  ' the of and to in is that for it as was with be by on not he his but at are this have from or had an they which you one we';

let loading: Promise<Tokenizer> | undefined;

/** Loads the tokenizer on first use (about 0.2 s). */
export function loadTokenizer(): Promise<Tokenizer> {
  return (loading ??= load());
}

async function load() {
  const { default: tokens } = await import('gpt-tokenizer/bpeRanks/o200k_base');
  const { O200K_TOKEN_SPLIT_REGEX: words } = await import('gpt-tokenizer/encodingParams/constants');
  const { GptEncoding } = await import('gpt-tokenizer/GptEncoding');
  const api = GptEncoding.getEncodingApi('o200k_base', () => tokens);
  api.setMergeCacheSize(mergeCacheSize);
  const bytesOfToken = new Array<Uint8Array | undefined>(endOfText + 1);
  // The first 256 tokens are the single bytes.
  const byteTokens = new Map(tokens.slice(0, 256).map((token, id) => [Buffer.from(token)[0] ?? 0, id]));

  /** Token IDs of a text, part by part. Special tokens such as `<|endoftext|>` are plain text. The work of one part is bounded. */
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
  /** The bytes of a token; empty for the end of the text. */
  const bytes = (id: number): Uint8Array => {
    const token = id === endOfText ? '' : (tokens[id] ?? '');
    return (bytesOfToken[id] ??= typeof token === 'string' ? Buffer.from(token) : Uint8Array.from(token));
  };

  return {
    ...{ parts, encode, bytes, commonWords: encode(commonWords) },
    /** Tokens of bytes that may begin within a UTF-8 character. */
    encodeBytes(bytes: Uint8Array): number[] {
      let whole = 0;
      while (((bytes[whole] ?? 0) & 0xc0) === 0x80) whole++;
      const continuation = Array.from(bytes.subarray(0, whole), (byte) => byteTokens.get(byte) ?? 0);
      return [...continuation, ...encode(new TextDecoder().decode(bytes.subarray(whole)))];
    },
    /** A token in the form of log probabilities. */
    describe: (id: number): { token: string; bytes: number[] | null } =>
      id === endOfText ? { token: '<|endoftext|>', bytes: null } : tokenForm(bytes(id)),
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
