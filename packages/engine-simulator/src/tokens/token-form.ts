import { isUtf8 } from 'node:buffer';
import { endOfText } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';

/** A token as log probabilities show it; bytes that are not UTF-8 on their own are written `bytes:\xe2\x80`. */
export function tokenForm(tokenizer: Tokenizer, id: number): { token: string; bytes: number[] | null } {
  if (id === endOfText) return { token: '<|endoftext|>', bytes: null };
  const bytes = Buffer.from(tokenizer.bytes(id));
  const escaped = (): string => bytes.toString('hex').replace(/../g, String.raw`\x$&`);
  return { token: isUtf8(bytes) ? bytes.toString() : `bytes:${escaped()}`, bytes: [...bytes] };
}
