import { tokenForm } from '@modelwire/ports';
import type { LlamaModel, Token } from 'node-llama-cpp';
import { LlamaSetupError } from './setup-error.ts';

/** The tokens of a model. */
export interface Vocabulary {
  readonly size: number;
  /** The bytes of a token; empty for control tokens. */
  bytes(id: Token): Uint8Array;
  /** Whether a number is the ID of a token. */
  isToken(id: number): id is Token;
  isEnd(id: Token): boolean;
  /** The tokens that start with a byte. */
  startingWith(byte: number): readonly Token[];
  /** The tokens that end a reply. */
  readonly endTokens: readonly Token[];
  /** A token in the format of log probabilities: its text, `bytes:\xe2\x80` if it is not valid text, or the name of a control token. */
  describe(id: Token): { token: string; bytes: number[] | null };
  /** Tokenizes bytes. Bytes that are not valid text become one token each. */
  encode(bytes: Uint8Array): readonly Token[];
  /** Finds control tokens, such as `<|im_end|>`, in a text. */
  findControlTokens(text: string): readonly { readonly start: number; readonly end: number }[];
  hasToken(text: string): boolean;
}

/** The tokenizer fields of the file. The types of node-llama-cpp are stricter than real files. */
interface TokenizerFields {
  readonly model: string;
  readonly tokens: readonly string[];
  readonly token_type?: readonly number[];
}

/** Token types of GGUF (`tokenizer.ggml.token_type`). */
const kinds = { unknown: 2, control: 3, userDefined: 4, byte: 6 } as const;

const encoder = new TextEncoder();
const noBytes = new Uint8Array();

/**
 * Reads the vocabulary from the metadata of the file, because node-llama-cpp returns only text, and grammars need the bytes of tokens that
 * are parts of a character. Supports the tokenizers of generative models: byte-level BPE (`gpt2`) and SentencePiece (`llama`, `gemma4`).
 * @throws LlamaSetupError for other tokenizers, and if the bytes differ from the text of llama.cpp.
 */
export function readVocabulary(model: LlamaModel): Vocabulary {
  const fields: TokenizerFields = model.fileInfo.metadata.tokenizer.ggml;
  const { model: kind, tokens, token_type: types } = fields;
  if (kind !== 'gpt2' && kind !== 'llama' && kind !== 'gemma4') {
    throw new LlamaSetupError(`its tokenizer '${kind}' is not supported; supported are gpt2, llama and gemma4`);
  }
  const typeOf = (id: number): number => types?.[id] ?? 1;
  const textOf = (id: number): string => tokens[id] ?? '';
  const decode = kind === 'gpt2' ? byteLevel() : sentencePiece;
  const isToken = (id: number): id is Token => Number.isSafeInteger(id) && id >= 0 && id < tokens.length;
  const controls = new Set<string>();
  const lengths = new Set<number>();
  const firsts = new Set<string>();
  const endTokens: Token[] = [];
  for (let id = 0; id < tokens.length; id++) {
    const text = textOf(id);
    // A file can declare its control tokens as normal ones; llama.cpp recognizes them anyway.
    if (typeOf(id) === 1 && !/^[<[]/.test(text)) continue;
    if (!isToken(id)) continue;
    const isEnd = model.isEogToken(id);
    if (isEnd) endTokens.push(id);
    if (typeOf(id) !== kinds.control && !isEnd) continue;
    controls.add(text);
    lengths.add(text.length);
    firsts.add(text.charAt(0));
  }
  const decoded = (id: Token): Uint8Array => {
    const text = textOf(id);
    const type = typeOf(id);
    if (controls.has(text) || type === kinds.unknown) return noBytes;
    return type === kinds.userDefined && kind === 'gpt2' ? encoder.encode(text) : decode(text, type === kinds.byte);
  };
  const cache: (Uint8Array | undefined)[] = [];
  const bytes = (id: Token): Uint8Array => {
    const made = cache[id] ?? decoded(id);
    cache[id] = made;
    return made;
  };
  const byFirstByte = Array.from({ length: 256 }, (): Token[] => []);
  for (let id = 0; id < tokens.length; id++) {
    if (!isToken(id)) continue;
    const [first] = decoded(id);
    if (first !== undefined) byFirstByte[first]?.push(id);
  }
  const endSet = new Set(endTokens);
  const vocabulary: Vocabulary = {
    size: tokens.length,
    bytes,
    isToken,
    isEnd: (id) => endSet.has(id),
    startingWith: (byte) => byFirstByte[byte] ?? [],
    endTokens,
    describe: (id) => {
      const own = bytes(id);
      return own.length === 0 ? { token: textOf(id), bytes: null } : tokenForm(own);
    },
    encode: (given) => encode(given, model, bytes, singleByteTokens()),
    findControlTokens: (text) => {
      const found: { start: number; end: number }[] = [];
      for (let start = 0; start < text.length; start++) {
        if (!firsts.has(text.charAt(start))) continue;
        const length = [...lengths].find((one) => controls.has(text.slice(start, start + one)));
        if (length === undefined || length === 0) continue;
        found.push({ start, end: start + length });
        start += length - 1;
      }
      return found;
    },
    hasToken: (text) => tokens.includes(text),
  };
  let singleBytes: Map<number, Token> | undefined;
  const singleByteTokens = (): ReadonlyMap<number, Token> => {
    if (singleBytes) return singleBytes;
    singleBytes = new Map();
    for (let id = 0; id < tokens.length; id++) {
      if (!isToken(id) || textOf(id).length > 6) continue;
      const [only] = bytes(id);
      if (only !== undefined && bytes(id).length === 1 && !singleBytes.has(only)) singleBytes.set(only, id);
    }
    return singleBytes;
  };
  checkDecoding(model, vocabulary);
  return vocabulary;
}

function encode(
  given: Uint8Array,
  model: LlamaModel,
  bytes: (id: Token) => Uint8Array,
  singleByteTokens: ReadonlyMap<number, Token>,
): readonly Token[] {
  const oneByOne = (some: Uint8Array): Token[] =>
    Array.from(some, (byte) => {
      const id = singleByteTokens.get(byte);
      if (id === undefined) throw new Error('the vocabulary has no token for one of the bytes');
      return id;
    });
  // The remaining bytes of an incomplete character are not text.
  let start = 0;
  while (start < given.length && ((given[start] ?? 0) & 0xc0) === 0x80) start++;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(given.subarray(start));
  const tokens = text === '' ? [] : model.tokenize(text, false, 'trimLeadingSpace');
  const rest = given.subarray(start);
  const isText = (some: readonly Token[]): boolean => Buffer.concat(some.map(bytes)).equals(rest);
  // Before a line break, the space that SentencePiece adds to the start of a text is not trimmed.
  const trimmed = tokens.slice(1);
  const whole = isText(tokens) ? tokens : isText(trimmed) ? trimmed : oneByOne(rest);
  return [...oneByOne(given.subarray(0, start)), ...whole];
}

/** Decodes a SentencePiece token: `▁` is a space, and `<0x0A>` a byte. */
function sentencePiece(text: string, isByte: boolean): Uint8Array {
  const hex = isByte ? /^<0x([0-9A-Fa-f]{2})>$/.exec(text)?.[1] : undefined;
  return hex === undefined ? encoder.encode(text.replaceAll('\u2581', ' ')) : Uint8Array.of(parseInt(hex, 16));
}

/** Returns the decoder of byte-level BPE, which represents visible bytes as themselves and the others as characters from U+0100. */
function byteLevel(): (text: string) => Uint8Array {
  const byteOf = new Map<string, number>();
  let next = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const visible = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    byteOf.set(String.fromCodePoint(visible ? byte : next++), byte);
  }
  return (text) => {
    const characters = Array.from(text, (character) => byteOf.get(character));
    const known = characters.filter((byte) => byte !== undefined);
    // A token with any other character is plain text.
    return known.length === characters.length ? Uint8Array.from(known) : encoder.encode(text);
  };
}

/** Compares the bytes of a sample of tokens with llama.cpp. Grammars would be enforced incorrectly with wrong bytes. */
function checkDecoding(model: LlamaModel, { size, isToken, bytes }: Vocabulary): void {
  const step = Math.max(1, Math.floor(size / 500));
  for (let id = 0; id < size; id += step) {
    if (!isToken(id) || bytes(id).length === 0) continue;
    const ours = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes(id));
    const theirs = model.detokenize([id]);
    // llama.cpp omits a leading space and incomplete characters.
    if (ours.includes('\ufffd') || ours.trimStart() === theirs.trimStart()) continue;
    throw new LlamaSetupError(
      `its token ${id} decodes to ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`,
    );
  }
}
