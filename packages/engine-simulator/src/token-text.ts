import { endOfText } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Turns tokens into text that never splits a UTF-8 character: what a token leaves incomplete waits for the next. */
export interface TokenText {
  /** The text that is whole now; empty while a character is incomplete. */
  push(id: number): string;
  /** What is left at the end: U+FFFD for a character that was never completed. */
  end(): string;
}

export function tokenText(tokenizer: Tokenizer): TokenText {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let pending = false;
  return {
    push(id) {
      const piece = tokenizer.piece(id);
      if (typeof piece === 'string') {
        if (!pending) return piece;
        // A whole token ends whatever was incomplete before it.
        pending = false;
        return decoder.decode() + piece;
      }
      pending = true;
      return decoder.decode(Uint8Array.from(piece), { stream: true });
    },
    end() {
      pending = false;
      return decoder.decode();
    },
  };
}

const encoder = new TextEncoder();

/** A token as log probabilities show it: bytes that are no text are written `bytes:\xe2\x80`. */
export function tokenForm(tokenizer: Tokenizer, id: number): { token: string; bytes: number[] | null } {
  if (id === endOfText) return { token: '<|endoftext|>', bytes: null };
  const piece = tokenizer.piece(id);
  if (typeof piece === 'string') return { token: piece, bytes: [...encoder.encode(piece)] };
  return {
    token: `bytes:${piece.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')}`,
    bytes: [...piece],
  };
}
