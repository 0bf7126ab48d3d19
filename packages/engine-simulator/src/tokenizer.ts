/**
 * The o200k tokenizer of `gpt-tokenizer`, loaded once and on first use (about 160 ms), behind what the simulator needs.
 * Its ids are the ones that callers' `logit_bias` maps made with tiktoken mean.
 */
export interface Tokenizer {
  /** Token ids of a text; special tokens such as `<|endoftext|>` are plain text here. Linear in the text. */
  encode(text: string): number[];
  /** The text of a token, or its bytes where they are no whole UTF-8 text. */
  piece(id: number): string | readonly number[];
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

/**
 * The merge loop of gpt-tokenizer is quadratic in the length of one word of its split: 16,000 letters "a" took 0.1 s, 16,000
 * Chinese letters 0.9 s. A word longer than this many UTF-16 units is counted in pieces of this length, which may add a token per cut.
 */
export const longestWord = 256;
/** About this much text is counted before the caller may breathe (8 MB/s: 2 ms). */
const stretchLength = 16_384;
/** And this much where words may be long. */
const part = 2048;
/** The library keeps 100,000 merged words by default, whatever their length: too much where words come from callers. */
const mergeCache = 8192;

let loaded: Promise<Tokenizer> | undefined;

export function loadTokenizer(): Promise<Tokenizer> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Tokenizer> {
  const library = await import('gpt-tokenizer/encoding/o200k_base');
  const { default: ranks } = await import('gpt-tokenizer/bpeRanks/o200k_base');
  const { O200K_TOKEN_SPLIT_REGEX } = await import('gpt-tokenizer/encodingParams/constants');
  library.setMergeCacheSize(mergeCache);
  const plain = { disallowedSpecial: new Set<string>() };
  const encodeShort = (text: string): number[] => library.encode(text, plain);

  /** The text in parts that end where the tokenizer ends a word, with longer words cut. Parts cost less than single words. */
  function* parts(text: string): Generator<string> {
    let start = 0;
    let end = 0;
    for (const { 0: word, index } of text.matchAll(O200K_TOKEN_SPLIT_REGEX)) {
      const long = word.length > longestWord;
      if (end > start && (long || end - start > part)) {
        yield text.slice(start, end);
        start = end;
      }
      if (long) {
        yield* cuts(word);
        start = index + word.length;
      }
      end = index + word.length;
    }
    if (end > start) yield text.slice(start, end);
  }

  return {
    encode(text) {
      if (!hasLongRun(text)) return encodeShort(text);
      const ids: number[] = [];
      for (const piece of parts(text)) for (const id of encodeShort(piece)) ids.push(id);
      return ids;
    },
    piece(id) {
      const piece = ranks[id];
      if (piece === undefined) throw new RangeError(`no token ${id}`);
      return piece;
    },
    *counts(text) {
      for (const stretch of stretches(text)) {
        for (const piece of hasLongRun(stretch) ? parts(stretch) : [stretch]) yield library.countTokens(piece, plain);
      }
    },
  };
}

/** Could a word of the split be longer than `longestWord`? Such a word has a run of half its length without, or of nothing but, white space. */
function hasLongRun(text: string): boolean {
  if (text.length <= longestWord) return false;
  let run = 0;
  let blank = false;
  for (let i = 0; i < text.length; i++) {
    const isBlank = isWhite(text.charCodeAt(i));
    run = isBlank === blank ? run + 1 : 1;
    blank = isBlank;
    if (run > longestWord / 2 - 2) return true;
  }
  return false;
}

/** Cut where the tokenizer cuts anyway: after a letter and before a space that a letter follows. Nothing else is safe. */
function* stretches(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > stretchLength) {
    let cut = start + stretchLength;
    while (cut < text.length - 1 && !(isLetter(text, cut - 1) && text[cut] === ' ' && isLetter(text, cut + 1))) cut++;
    if (cut >= text.length - 1) break;
    yield text.slice(start, cut);
    start = cut;
  }
  yield text.slice(start);
}

function* cuts(word: string): Generator<string> {
  let start = 0;
  while (start < word.length) {
    let end = Math.min(start + longestWord, word.length);
    const unit = word.charCodeAt(end - 1);
    // Never between the halves of a surrogate pair.
    if (end < word.length && unit >= 0xd800 && unit <= 0xdbff) end--;
    yield word.slice(start, end);
    start = end;
  }
}

const otherWhite = new Set([0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]);

function isWhite(unit: number): boolean {
  if (unit <= 32) return unit === 32 || (unit >= 9 && unit <= 13);
  if (unit < 0xa0) return false;
  return (unit >= 0x2000 && unit <= 0x200a) || otherWhite.has(unit);
}

function isLetter(text: string, at: number): boolean {
  const unit = text.charCodeAt(at) | 32;
  return unit >= 97 && unit <= 122;
}
