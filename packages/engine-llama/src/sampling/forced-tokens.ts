import type { Token } from 'node-llama-cpp';
import { noBytes } from '../guide/guide.ts';
import type { Guide } from '../guide/guide.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { commonFirstBytes } from './allowed-tokens.ts';

/**
 * Returns the tokens of the text that a constraint requires next, such as the name of a property; empty if the next token is a choice of the
 * model.
 */
export type ForcedTokenLookup = (guide: Guide) => readonly Token[];

/** The maximum number of bytes of a required text whose tokens are returned together. */
const maxBytes = 64;

export function createForcedTokenLookup(vocabulary: Vocabulary): ForcedTokenLookup {
  const starts = commonFirstBytes(vocabulary);
  /** The only allowed byte and the guide after it; undefined if several bytes are allowed, or the end. */
  const requiredByte = (guide: Guide): { readonly byte: number; readonly next: Guide } | undefined => {
    if (guide.isUnrestricted || guide.canEnd) return undefined;
    let only;
    for (const byte of starts) {
      const next = guide.advance(byte);
      if (next === undefined) continue;
      if (only) return undefined;
      only = { byte, next };
    }
    return only;
  };
  return (guide) => {
    const text: number[] = [];
    let at = guide;
    for (let found = requiredByte(at); found && text.length < maxBytes; found = requiredByte(at)) {
      text.push(found.byte);
      at = found.next;
    }
    if (text.length === 0) return [];
    const required = wholeCharacters(text);
    const tokens = vocabulary.encode(required);
    // The tokenizer could not represent the text: a model rarely sees tokens of one byte each.
    if (tokens.length === required.length && tokens.length > 1) return [];
    // The model chooses the last token: it can be the start of a longer one, with text that is not required.
    return at.mustEnd ? tokens : tokens.slice(0, -1);
  };
}

/** The bytes up to the last character that is complete; none if the first one is the rest of a character. */
function wholeCharacters(bytes: readonly number[]): Uint8Array {
  if (((bytes[0] ?? 0) & 0xc0) === 0x80) return noBytes;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes), { stream: true });
  return new TextEncoder().encode(text);
}
