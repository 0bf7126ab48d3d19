import type { State } from '@modelwire/grammar';
import type { Ngram } from '../ngram.ts';
import { endOfText } from '../tokenizer.ts';
import type { Tokenizer } from '../tokenizer.ts';
import { scriptShare } from '../walk.ts';
import type { Walk } from '../walk.ts';
import { after } from './masks.ts';
import type { Masks } from './masks.ts';

/** So many tokens of the script may be left out to take it up again. */
const farthestResume = 24;

export interface GuidedWalkInit {
  /** Tokens of a text that the grammar accepts. */
  readonly script: readonly number[];
  readonly state: State;
  readonly tokenizer: Tokenizer;
  readonly ngram: Ngram;
  readonly masks: Masks;
}

/**
 * A walk under a grammar: the script is expected, the n-gram model has the rest where it knows the last token, and only what the
 * grammar allows can be drawn.
 * Where another token than the script's was drawn, the script is taken up again as soon behind it as the grammar lets it; where
 * it nowhere does, the shortest way to an end takes its place.
 *
 * At the limit of tokens the text is brought to its end: a token behind which the rest would not fit is replaced by the first of
 * the shortest way there. So what is said is whole whenever the limit has room for any text of the grammar.
 */
export function startGuidedWalk({ script, state: start, tokenizer, ngram, masks }: GuidedWalkInit): Walk {
  const mask = masks(start);
  let tokens = script;
  let position = 0;
  let [before, last] = [-1, -1];
  let hurried = false;
  /** Shortest ways to the end, in tokens: states recur. */
  const ends = new WeakMap<State, readonly number[]>();

  const endOf = (from: State): readonly number[] => {
    let end = ends.get(from);
    if (end === undefined) ends.set(from, (end = tokenizer.encodeBytes(from.completionBytes())));
    return end;
  };
  const follows = (from: number): boolean => {
    let at: State | undefined = mask.state;
    for (let i = from; i < tokens.length && at !== undefined; i++) at = after(at, tokenizer.bytes(tokens[i] ?? 0));
    return at?.canEnd() === true;
  };
  /** Where the script can be taken up again: its next token replaced, else said all the same, else some left out. */
  const resumption = (): number | undefined => {
    const farthest = Math.min(tokens.length, position + farthestResume);
    const places = [position + 1, position];
    for (let from = position + 2; from <= farthest; from++) places.push(from);
    return places.find((from) => from <= tokens.length && follows(from));
  };
  const resume = (): void => {
    const from = resumption();
    tokens = from === undefined ? endOf(mask.state) : tokens;
    position = from ?? 0;
  };

  return {
    expect(distribution) {
      distribution.add(tokens[position] ?? endOfText, scriptShare);
      // Between braces and names it knows nothing, and what it says of nothing is mostly not allowed.
      if (!ngram.knows(last)) return;
      const { ids, p } = ngram.after(before, last);
      for (let i = 0; i < ids.length; i++) distribution.add(ids[i] ?? 0, (p[i] ?? 0) * (1 - scriptShare));
    },
    allowance: () => mask,
    settle(id, left) {
      if (id === endOfText) return id;
      if (id === tokens[position] && tokens.length - position <= left) return id;
      const next = after(mask.state, tokenizer.bytes(id));
      if (next && endOf(next).length < left) return id;
      const end = endOf(mask.state);
      // The limit was too small from the beginning: then what there is room for is said.
      if (end.length > left) return id;
      hurried = true;
      tokens = end;
      position = 0;
      return end[0] ?? endOfText;
    },
    take(id) {
      [before, last] = [last, id];
      const next = after(mask.state, tokenizer.bytes(id));
      if (next === undefined) throw new Error('a token that the grammar does not allow was drawn');
      mask.state = next;
      if (id === tokens[position]) position++;
      else resume();
    },
    wasHurried: () => hurried,
  };
}
