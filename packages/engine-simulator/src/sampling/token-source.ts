import { reportLogprob } from '@modelwire/adapter-kit';
import type { TokenLogprob } from '@modelwire/schema/types';
import type { Random } from '../random.ts';
import { endOfText } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { createDistribution } from './distribution.ts';
import type { Sampling } from './distribution.ts';

/** Generates the tokens of one text, one after the other. `left`: the tokens left in the limit, at least 1. */
export type TokenSource = (left: number) => SampledToken;

interface SampledToken {
  readonly id: number;
  readonly logprob: TokenLogprob | undefined;
  /** At the end of the text: it was shortened because of the token limit. */
  readonly isCut: boolean;
}

/** For each piece of a text, mostly a sentence, its wordings in tokens, the likeliest first. They begin with different tokens. */
export type Template = readonly (readonly (readonly number[])[])[];

/** The share of the first of several wordings; the others have the rest in equal parts. */
const firstShare = 0.6;

/**
 * Draws each token from a distribution: the first one of a piece from the first tokens of its wordings, which selects a wording, and then
 * that wording. Any other token replaces the expected one. Where bias or penalties suppress all wordings, the text ends.
 * `topLogprobs`: alternatives to report for each token; undefined for no log probabilities.
 */
export function sampleTemplate(
  template: Template,
  sampling: Sampling,
  random: Random,
  tokenizer: Tokenizer,
  topLogprobs: number | undefined,
): TokenSource {
  const used = new Map<number, number>();
  let [piece, position] = [0, 0];
  let wording: readonly number[] | undefined;
  const expected = (): ReadonlyMap<number, number> => {
    const [first, ...others] = wording ? [wording] : (template[piece] ?? []);
    const firstProbability = others.length === 0 ? 1 : firstShare;
    const shares = new Map([[first?.[position] ?? endOfText, firstProbability]]);
    for (const [id = endOfText] of others) shares.set(id, (1 - firstShare) / others.length);
    return shares;
  };
  const take = (id: number): void => {
    const wordings = template[piece] ?? [];
    wording ??= wordings.find(([first]) => first === id) ?? wordings[0] ?? [];
    used.set(id, (used.get(id) ?? 0) + 1);
    if (++position >= wording.length) [piece, position, wording] = [piece + 1, 0, undefined];
  };
  return () => {
    const distribution = createDistribution(expected(), sampling, used, tokenizer.commonWords);
    const id = distribution.sample(random);
    const logprob =
      topLogprobs === undefined ? undefined : reportLogprob(distribution.ranked(), id, topLogprobs, tokenizer.describe);
    if (id !== endOfText) take(id);
    return { id, logprob, isCut: false };
  };
}

/** A text that fits into `left` tokens and begins with the first `position` tokens of another; undefined if there is none. */
export type Shorten = (ids: readonly number[], position: number, left: number) => readonly number[] | undefined;

/** Generates a given text: each of its tokens has the probability 1. Where the limit is not sufficient, a shorter text replaces it. */
export function exactTokens(
  text: readonly number[],
  tokenizer: Tokenizer,
  topLogprobs: number | undefined,
  shorten: Shorten = () => undefined,
): TokenSource {
  let ids = text;
  let position = 0;
  let isCut = false;
  let canFit = true;
  return (left) => {
    if (canFit && ids.length - position > left) {
      const shorter = shorten(ids, position, left);
      canFit = shorter !== undefined;
      if (shorter) [ids, isCut] = [shorter, true];
    }
    const id = ids[position++] ?? endOfText;
    if (topLogprobs === undefined || id === endOfText) return { id, logprob: undefined, isCut };
    return { id, isCut, logprob: reportLogprob({ ids: [id], logprobs: [0] }, id, topLogprobs, tokenizer.describe) };
  };
}
