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
/** So many tokens of it are tried ahead. */
const horizon = 200;

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
  const mask = masks.start(start);
  let tokens = script;
  let position = 0;
  let [before, last] = [-1, -1];
  let hurried = false;
  /** No limit that is too small from the beginning becomes large enough. */
  let hopeless = false;
  /** Tokens of the script up to here are known to be allowed. */
  let sound = Infinity;
  /** Where the script is left for the shortest end, once that is known. */
  let leaving: number | undefined;
  /** Shortest ways to the end, in tokens: states recur. */
  const ends = new WeakMap<State, readonly number[]>();

  const endOf = (from: State): readonly number[] => {
    let end = ends.get(from);
    if (end === undefined) ends.set(from, (end = tokenizer.encodeBytes(from.completionBytes())));
    return end;
  };
  const stateAt = (to: number): State | undefined => {
    let at: State | undefined = mask.state;
    for (let i = position; i < to && at !== undefined; i++) at = after(at, tokenizer.bytes(tokens[i] ?? 0));
    return at;
  };
  /** Can the script go on from this token? Looks so far ahead, and again when it has come there. */
  const follows = (from: number): boolean => {
    let at: State | undefined = mask.state;
    const to = Math.min(tokens.length, from + horizon);
    for (let i = from; i < to && at !== undefined; i++) at = after(at, tokenizer.bytes(tokens[i] ?? 0));
    return at !== undefined && (to < tokens.length || at.canEnd());
  };
  /** Where the script can be taken up again: its next token replaced, else said all the same, else some left out. */
  const resumption = (): number | undefined => {
    const farthest = Math.min(tokens.length, position + farthestResume);
    const places = [position + 1, position];
    for (let from = position + 2; from <= farthest; from++) places.push(from);
    return places.find((from) => from <= tokens.length && follows(from));
  };
  const goOn = (script: readonly number[], from: number, to: number): void => {
    tokens = script;
    position = from;
    sound = to;
    leaving = undefined;
  };
  const resume = (): void => {
    const from = resumption();
    if (from !== undefined) goOn(tokens, from, Math.min(tokens.length, from + horizon));
    else goOn(endOf(mask.state), 0, Infinity);
  };
  /** How far a script that is too long for the limit may be followed, so that there is room for an end behind it. */
  const farthestToLeave = (left: number): number => {
    let [near, far] = [position, Math.min(sound, tokens.length, position + left)];
    while (near < far) {
      const middle = Math.ceil((near + far) / 2);
      const there = stateAt(middle);
      if (there && endOf(there).length <= left - (middle - position)) near = middle;
      else far = middle - 1;
    }
    return near;
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
      if (hopeless) return id;
      if (id === tokens[position]) {
        if (tokens.length - position <= left) return id;
        // Then what there is room for is said.
        hopeless = leaving === undefined && endOf(mask.state).length > left;
        if (hopeless) return id;
        leaving ??= farthestToLeave(left);
        if (position < leaving) return id;
      }
      const next = after(mask.state, tokenizer.bytes(id));
      if (next && endOf(next).length < left) return id;
      const end = endOf(mask.state);
      hopeless = end.length > left;
      if (hopeless) return id;
      hurried = true;
      goOn(end, 0, Infinity);
      return end[0] ?? endOfText;
    },
    take(id) {
      [before, last] = [last, id];
      const next = after(mask.state, tokenizer.bytes(id));
      if (next === undefined) throw new Error('a token that the grammar does not allow was drawn');
      mask.state = next;
      if (id !== tokens[position]) resume();
      else if (++position >= sound && position < tokens.length) {
        if (follows(position)) sound = position + horizon;
        else resume();
      }
    },
    wasHurried: () => hurried,
  };
}
