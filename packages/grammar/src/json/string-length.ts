import type { Blocks } from '../automaton/blocks.ts';
import { choice, repetition, sequence, token } from '../network/node.ts';
import type { Node, Token } from '../network/node.ts';

/** Characters of a block. Few enough to be built in milliseconds, once for all grammars. */
export const BLOCK = 512;

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
  // One character less than required cannot be the end of the first block.
  const isSome = min === 1 && max < Infinity;
  const start = (blocks: Blocks, count: number, isFirst: boolean): Node => {
    const quoted = isSome ? blocks.quotedSome(count) : blocks.quoted(count);
    return token({ dfa: blocks.dfa, from: isFirst ? quoted : blocks.from(count) });
  };
  const least = isSome ? 0 : min;
  const whole = start(exactly, BLOCK, false);
  const parts: Node[] = [];
  const first = least % BLOCK === 0 && least > 0 ? BLOCK : least % BLOCK;
  const further = (least - first) / BLOCK;
  if (least > 0) parts.push(start(exactly, first, true), repetition(whole, further, further));
  if (max === Infinity) return sequence(...parts, token(rest));
  const left = max - least;
  const isFirst = least === 0;
  if (left < BLOCK) return sequence(...parts, start(upTo, left, isFirst));
  const blocks = Math.floor(left / BLOCK);
  const short = start(upTo, BLOCK - 1, false);
  const last = start(upTo, left % BLOCK, false);
  // It ends within a block, or after the most blocks within a shorter one.
  const more = blocks === 1 ? last : sequence(repetition(whole, 0, blocks - 2), choice(short, sequence(whole, last)));
  return sequence(...parts, choice(start(upTo, BLOCK - 1, isFirst), sequence(start(exactly, BLOCK, isFirst), more)));
}
