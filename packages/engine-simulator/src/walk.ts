import type { Allowance, Distribution } from './distribution.ts';
import type { Ngram } from './ngram.ts';
import type { Script, Way } from './script.ts';
import { endOfText } from './tokenizer.ts';

/** The share of the script's next token at each step; the n-gram model has the rest. */
export const scriptShare = 0.985;
/** A walk off the script is called back after this many tokens, if no sentence ended before. */
const longestDetour = 14;
const callBack = 0.9;

/** What a walk needs to know about tokens. */
export interface Marks {
  readonly fullStop: number;
  /** Does a sentence end with this token? */
  endsSentence(id: number): boolean;
}

/** Where a reply stands between its script and the n-gram model. */
export interface Walk {
  /** Adds what is expected next (1 in all). */
  expect(distribution: Distribution): void;
  /** Goes on after the token that was drawn. */
  take(id: number): void;
  /** What may come next, under a grammar. */
  allowance?(): Allowance;
  /** The token that is said when `id` was drawn and `left` may still be said, with it: another one where the end is near. */
  settle?(id: number, left: number): number;
  /** Was the text brought to its end because of the limit? */
  wasHurried?(): boolean;
}

/**
 * On the script, its next token is expected: of the segment's ways, those that agree with what was said of it so far.
 * Another token leaves the script. If the n-gram model knows it, the model goes on to the end of a sentence, and the script
 * resumes with its next segment; a word unknown to it just stands in for the script's own, and the segment goes on.
 * Behind the last segment the end is expected.
 */
export function startWalk(script: Script, ngram: Ngram, marks: Marks): Walk {
  let segment = 0;
  let position = 0;
  let live: readonly Way[] = script[0] ?? [];
  /** Tokens said off the script; -1 while on it. */
  let detour = -1;
  let [before, last] = [-1, -1];

  const enter = (next: number): void => {
    segment = next;
    position = 0;
    detour = -1;
    live = script[next] ?? [];
  };
  const advance = (ways: readonly Way[]): void => {
    position++;
    // A way that begins another one ends the segment if it is the likelier: ways are sorted by weight.
    const complete = (ways[0]?.tokens.length ?? 0) <= position;
    live = ways.filter((way) => way.tokens.length > position);
    if (complete || live.length === 0) enter(segment + 1);
  };
  const model = (distribution: Distribution, share: number): void => {
    const { ids, p } = ngram.after(before, last);
    for (let i = 0; i < ids.length; i++) distribution.add(ids[i] ?? 0, (p[i] ?? 0) * share);
  };

  return {
    expect(distribution) {
      if (detour >= 0) {
        if (detour < longestDetour) model(distribution, 1);
        else {
          distribution.add(marks.fullStop, callBack);
          model(distribution, 1 - callBack);
        }
        return;
      }
      model(distribution, 1 - scriptShare);
      if (live.length === 0) {
        distribution.add(endOfText, scriptShare);
        return;
      }
      let total = 0;
      for (const way of live) total += way.weight;
      for (const way of live) distribution.add(way.tokens[position] ?? endOfText, (scriptShare * way.weight) / total);
    },
    take(id) {
      [before, last] = [last, id];
      if (detour >= 0) {
        detour++;
        if (marks.endsSentence(id)) enter(segment + 1);
        return;
      }
      const agreeing = live.filter((way) => way.tokens[position] === id);
      if (agreeing.length > 0) advance(agreeing);
      else if (marks.endsSentence(id)) enter(segment + 1);
      else if (ngram.knows(id)) detour = 0;
      else advance(live);
    },
  };
}
