import type { Blocks } from '../automaton/blocks.ts';
import { choice, repetition, sequence, token } from '../network/node.ts';
import type { Node, Token } from '../network/node.ts';

/** Characters of a block. Few enough to be built in milliseconds, once for all grammars. */
export const BLOCK = 256;

export type TextBlocks = {
  /** Exactly so many characters. */
  readonly exactly: Blocks;
  /** Up to so many characters, and the closing quote. */
  readonly upTo: Blocks;
  /** Any characters, and the closing quote. */
  readonly rest: Token;
};

/**
 * A string of `min` to `max` characters: blocks of all grammars that begin with different states, instead of an automaton for
 * each length.
 */
export function stringOfLength({ exactly, upTo, rest }: TextBlocks, min: number, max: number): Node {
  const start = (blocks: Blocks, count: number, isFirst: boolean): Node =>
    token({ dfa: blocks.dfa, from: isFirst ? blocks.quoted(count) : blocks.from(count) });
  const whole = start(exactly, BLOCK, false);
  const parts: Node[] = [];
  const first = min % BLOCK === 0 && min > 0 ? BLOCK : min % BLOCK;
  if (min > 0) parts.push(start(exactly, first, true), repetition(whole, (min - first) / BLOCK, (min - first) / BLOCK));
  if (max === Infinity) return sequence(...parts, token(rest));
  const left = max - min;
  const isFirst = min === 0;
  if (left < BLOCK) return sequence(...parts, start(upTo, left, isFirst));
  // Either it ends early, or the first block leaves a multiple of the others and less than one more.
  const blocks = Math.floor(left / BLOCK);
  const beginning = left + 1 - blocks * BLOCK;
  return sequence(
    ...parts,
    choice(
      start(upTo, beginning - 1, isFirst),
      sequence(start(exactly, beginning, isFirst), repetition(whole, 0, blocks - 1), start(upTo, BLOCK - 1, false)),
    ),
  );
}
