import { stepDfa } from '../automaton/dfa.ts';
import type { Dfa } from '../automaton/dfa.ts';

/**
 * Groups of bytes, as bits: one for each lowercase letter, because patterns often distinguish some of them, and the others by kind.
 * "q" and "z" share a group, which leaves one for the first byte of U+2028 and U+2029, which `.` excludes.
 */
const LEAD_E2 = 1 << 25;
const UPPER_CASE = 1 << 26;
const DIGIT = 1 << 27;
const NOT_ASCII = 1 << 28;
const SPACE = 1 << 29;
const PUNCTUATION = 1 << 30;
/** Quotes, backslashes and control characters, which have a special meaning within strings. */
const SPECIAL = 1 << 31;

export function groupOf(byte: number): number {
  if (byte === 0x7a) return groupOf(0x71);
  if (byte >= 0x61 && byte < 0x7a) return 1 << (byte - 0x61);
  if (byte >= 0x41 && byte <= 0x5a) return UPPER_CASE;
  if (byte >= 0x30 && byte <= 0x39) return DIGIT;
  if (byte === 0xe2) return LEAD_E2;
  if (byte >= 0x80) return NOT_ASCII;
  if (byte === 0x20) return SPACE;
  return byte < 0x20 || byte === 0x22 || byte === 0x5c || byte === 0x7f ? SPECIAL : PUNCTUATION;
}

/** Maximum number of pairs of states within characters of several bytes. Unrestricted text has fewer. */
const MAX_PAIRS = 64;

/** Returns a function that finds the groups of bytes with a self-loop at a state: all text of these bytes leads back to the state. */
export function selfLoopGroups(dfa: Dfa, text: Dfa, within: number): (state: number) => number {
  const { classes, width, table, accepting } = dfa;
  const groups = new Int32Array(width);
  for (let byte = 0; byte < 256; byte++) {
    const column = classes[byte] ?? 0;
    groups[column] = (groups[column] ?? 0) | groupOf(byte);
  }
  const known = new Int32Array(accepting.length);
  const isKnown = new Uint8Array(accepting.length);

  /** Whether all characters whose first byte is in the group lead back to the state. */
  const staysInCharacters = (state: number, group: number): boolean => {
    const stride = text.accepting.length;
    const pairs = new Set([state * stride + within]);
    for (const pair of pairs) {
      if (pairs.size > MAX_PAIRS) return false;
      const [dfaState, textState] = [Math.floor(pair / stride), pair % stride];
      // The first byte of a character must be in the group; the bytes that follow it are not restricted.
      for (let byte = textState === within ? 0x80 : 0; byte < 256; byte++) {
        if (textState === within && groupOf(byte) !== group) continue;
        const textTarget = stepDfa(text, textState, byte);
        const next = stepDfa(dfa, dfaState, byte);
        if (textTarget < 0 && next < 0) continue;
        if (textTarget < 0 || next < 0 || accepting[next] === 1) return false;
        if (textTarget === within && next !== state) return false;
        pairs.add(next * stride + textTarget);
      }
    }
    return true;
  };

  return (state) => {
    if (isKnown[state] === 1) return known[state] ?? 0;
    let leaving = SPECIAL | NOT_ASCII | LEAD_E2;
    const row = state * width;
    for (let column = 0; column < width; column++) {
      if (table[row + column] !== state) leaving |= groups[column] ?? 0;
    }
    let looping = ~leaving;
    if (looping !== 0) {
      for (const group of [NOT_ASCII, LEAD_E2]) if (staysInCharacters(state, group)) looping |= group;
    }
    isKnown[state] = 1;
    known[state] = looping;
    return looping;
  };
}
