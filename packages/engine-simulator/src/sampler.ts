import type { TokenLogprob } from '@modelwire/schema/types';
import type { Distribution, Sampling } from './distribution.ts';
import type { Random } from './random.ts';
import { tokenForm } from './token-text.ts';
import { endOfText } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import type { Walk } from './walk.ts';

/** Marks a chosen token outside the 20 likeliest (interface: Logprobs). */
export const logprobFloor = -9999;
const logprobRanks = 20;

/** A token that was drawn. */
export interface Drawn {
  readonly id: number;
  readonly logprob: TokenLogprob | undefined;
  /** With the end of the text: it came early, because of the limit. */
  readonly hurried?: boolean;
}

/** Gives the tokens of one text, one after the other. `left`: how many may still be said, at least 1. */
export type TokenSource = (left: number) => Drawn;

export interface SamplerInit {
  readonly walk: Walk;
  /** Where each step is worked out; all choices of all requests may share one. */
  readonly distribution: Distribution;
  readonly sampling: Sampling;
  readonly random: Random;
  readonly tokenizer: Tokenizer;
  /** How many alternatives to report with each token; undefined for no log probabilities at all. */
  readonly topLogprobs: number | undefined;
}

/** Draws each token from the walk's distribution, bent by bias and penalties. */
export function sampler({ walk, distribution, sampling, random, tokenizer, topLogprobs }: SamplerInit): TokenSource {
  const said = new Map<number, number>();
  return (left) => {
    distribution.clear();
    walk.expect(distribution);
    distribution.bend(sampling, said, walk.allowance?.());
    const drawn = distribution.sample(sampling, random);
    const id = walk.settle?.(drawn, left) ?? drawn;
    const logprob = topLogprobs === undefined ? undefined : report(distribution, id, topLogprobs, tokenizer);
    if (id === endOfText) return { id, logprob, hurried: walk.wasHurried?.() === true };
    walk.take(id);
    said.set(id, (said.get(id) ?? 0) + 1);
    return { id, logprob };
  };
}

function report(distribution: Distribution, chosen: number, count: number, tokenizer: Tokenizer): TokenLogprob {
  const likeliest = distribution.top(logprobRanks);
  return {
    ...tokenForm(tokenizer, chosen),
    logprob: likeliest.find(({ id }) => id === chosen)?.logprob ?? logprobFloor,
    top_logprobs: likeliest.slice(0, count).map(({ id, logprob }) => ({ ...tokenForm(tokenizer, id), logprob })),
  };
}
