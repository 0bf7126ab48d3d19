import { tokenForm } from '@modelwire/adapter-kit/internal';
import type { LlamaModel, Token } from 'node-llama-cpp';
import { LlamaSetupError } from './setup-error.ts';
import { isControl, kindOf, tokenBytes } from './token-bytes.ts';
import type { TokenKind } from './token-bytes.ts';

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

/** The type of control tokens in the file (`tokenizer.ggml.token_type`). */
const controlType = 3;

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
  const isToken = (id: number): id is Token => Number.isSafeInteger(id) && id >= 0 && id < tokens.length;
  const ids = Array.from(tokens.keys()).filter(isToken);
  const textOf = (id: Token): string => tokens[id] ?? '';
  const endTokens = ids.filter((id) => model.isEogToken(id));
  const endTokenSet = new Set<number>(endTokens);
  const attributes = ids.map((id) => model.getTokenAttributes(id));
  const kinds = attributes.map((one, id): TokenKind => (endTokenSet.has(id) ? 'none' : kindOf(one)));
  const decode = tokenBytes(model, tokens, kinds);
  const controlTexts = attributes.flatMap((one, id) =>
    // Some control tokens of gpt-oss, such as `<|channel|>`, are text in replies, but a message must not contain them either.
    endTokenSet.has(id) || types?.[id] === controlType || isControl(one) ? (tokens[id] ?? '') : [],
  );
  const cache: (Uint8Array | undefined)[] = [];
  const bytes = (id: Token): Uint8Array => {
    const made = cache[id] ?? decode(id);
    cache[id] = made;
    return made;
  };
  const byFirstByte = Array.from({ length: 256 }, (): Token[] => []);
  for (const id of ids) {
    const [first] = decode(id);
    if (first !== undefined) byFirstByte[first]?.push(id);
  }
  const vocabulary: Vocabulary = {
    size: tokens.length,
    bytes,
    isToken,
    isEnd: (id) => endTokenSet.has(id),
    startingWith: (byte) => byFirstByte[byte] ?? [],
    endTokens,
    describe: (id) => {
      const own = bytes(id);
      return own.length === 0 ? { token: textOf(id), bytes: null } : tokenForm(own);
    },
    encode: (given) => encode(given, model, bytes, singleByteTokens()),
    findControlTokens: createTextFinder(controlTexts),
    hasToken: (text) => tokens.includes(text),
  };
  let singleBytes: Map<number, Token> | undefined;
  const singleByteTokens = (): ReadonlyMap<number, Token> => {
    if (singleBytes) return singleBytes;
    singleBytes = new Map();
    for (const id of ids) {
      if (textOf(id).length > 6) continue;
      const [only] = bytes(id);
      if (only !== undefined && bytes(id).length === 1 && !singleBytes.has(only)) singleBytes.set(only, id);
    }
    return singleBytes;
  };
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

/** Returns a function that finds the longest of the given texts at each position of a text. */
function createTextFinder(texts: readonly string[]): Vocabulary['findControlTokens'] {
  const known = new Set(texts.filter((text) => text !== ''));
  const lengths = [...new Set(Array.from(known, ({ length }) => length))].sort((a, b) => b - a);
  const firsts = new Set(Array.from(known, (text) => text.charAt(0)));
  return (text) => {
    const found: { start: number; end: number }[] = [];
    for (let start = 0; start < text.length; start++) {
      if (!firsts.has(text.charAt(start))) continue;
      const length = lengths.find((one) => start + one <= text.length && known.has(text.slice(start, start + one)));
      if (length === undefined) continue;
      found.push({ start, end: start + length });
      start += length - 1;
    }
    return found;
  };
}
