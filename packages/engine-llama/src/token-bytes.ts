import type { LlamaModel, Token, TokenAttributes } from 'node-llama-cpp';
import { LlamaSetupError } from './setup-error.ts';

/** What llama.cpp makes of a token when it converts tokens to text. */
export type TokenKind = 'text' | 'verbatim' | 'byte' | 'none';

/** Converts the text of a token of the kind `text` to its bytes. */
type DecodeText = (text: string) => Uint8Array;

const encoder = new TextEncoder();
const noBytes = new Uint8Array();

/**
 * The kind of a token. The attributes of llama.cpp are decisive, not the types in the file (`tokenizer.ggml.token_type`), because llama.cpp
 * changes the types of known control tokens that a file declares incorrectly.
 */
export function kindOf(attributes: TokenAttributes): TokenKind {
  if (isControl(attributes)) return 'none';
  if (attributes.userDefined) return 'verbatim';
  if (attributes.normal) return 'text';
  // Unused tokens have no text: converters fill a vocabulary up to the size of the embedding with them.
  return attributes.byte ? 'byte' : 'none';
}

/** Whether llama.cpp treats the text of a token as a control token. */
export function isControl({ control, unknown }: TokenAttributes): boolean {
  return control || unknown;
}

/**
 * Returns a function that converts tokens to bytes, with the text encoding of the tokenizer: byte-level BPE, or SentencePiece, which some
 * files of byte-pair tokenizers use too.
 * @throws LlamaSetupError if llama.cpp decodes the tokens to other text.
 */
export function tokenBytes(model: LlamaModel, tokens: readonly string[], kinds: readonly TokenKind[]) {
  const isByteLevel = model.fileInfo.metadata.tokenizer.ggml.model === 'gpt2';
  const candidates = isByteLevel ? [byteLevel(), sentencePiece] : [sentencePiece];
  const failures: string[] = [];
  for (const decode of candidates) {
    const bytesOf = (id: number): Uint8Array => bytesOfToken(tokens[id] ?? '', kinds[id] ?? 'none', decode);
    const difference = firstDifference(model, tokens, kinds, bytesOf);
    if (difference === undefined) return bytesOf;
    failures.push(difference);
  }
  throw new LlamaSetupError(failures[0] ?? 'its tokens cannot be decoded');
}

function bytesOfToken(text: string, kind: TokenKind, decode: DecodeText): Uint8Array {
  switch (kind) {
    case 'none':
      return noBytes;
    case 'verbatim':
      return encoder.encode(text);
    case 'byte': {
      const hex = /^<0x([0-9A-Fa-f]{2})>$/.exec(text)?.[1];
      return hex === undefined ? encoder.encode(text) : Uint8Array.of(parseInt(hex, 16));
    }
    case 'text':
      return decode(text);
  }
}

/** Decodes a token of SentencePiece, in which `▁` is a space. */
function sentencePiece(text: string): Uint8Array {
  return encoder.encode(text.replaceAll('\u2581', ' '));
}

/** Returns the decoder of byte-level BPE, which represents visible bytes as themselves and the others as characters from U+0100. */
function byteLevel(): DecodeText {
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

/** The number of tokens that are compared with llama.cpp, in addition to all tokens that are not of the kind `text`. */
const sampleSize = 500;

/** Compares tokens with llama.cpp: grammars would be enforced incorrectly with wrong bytes. */
function firstDifference(
  model: LlamaModel,
  tokens: readonly string[],
  kinds: readonly TokenKind[],
  bytesOf: (id: number) => Uint8Array,
): string | undefined {
  const step = Math.max(1, Math.floor(tokens.length / sampleSize));
  for (const [id, kind] of kinds.entries()) {
    if (kind === 'none' || (kind === 'text' && id % step !== 0)) continue;
    const ours = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytesOf(id));
    const theirs = model.detokenize([id as Token]);
    // llama.cpp omits a leading space and incomplete characters, and writes a placeholder for characters outside of byte-level BPE.
    if (ours.includes('\ufffd') || theirs.includes('[UNK_BYTE_') || ours.trimStart() === theirs.trimStart()) continue;
    return `its token ${id} decodes to ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`;
  }
  return undefined;
}
