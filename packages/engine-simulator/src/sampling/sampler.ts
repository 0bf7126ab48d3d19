import type { TokenLogprob } from '@modelwire/schema/types';
import type { Random } from '../random.ts';
import { tokenForm } from '../tokens/token-form.ts';
import { endOfText } from '../tokens/tokenizer.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import { Distribution } from './distribution.ts';
import type { Sampling } from './distribution.ts';
import type { Walk } from './walk.ts';

/** The log probability of a chosen token outside the 20 likeliest (API: Logprobs). */
const minLogprob = -9999;
const rankedTokens = 20;

export interface SampledToken {
  readonly id: number;
  readonly logprob: TokenLogprob | undefined;
  /** At the end of the text: it was truncated because of the token limit. */
  readonly isCut: boolean;
}

/** Generates the tokens of one text, one after the other. `left`: the tokens left in the limit, at least 1. */
export type TokenSource = (left: number) => SampledToken;

/** Draws each token from the distribution of the walk. `topLogprobs`: alternatives to report; undefined for no log probabilities. */
export function createSampler(
  walk: Walk,
  sampling: Sampling,
  random: Random,
  tokenizer: Tokenizer,
  topLogprobs: number | undefined,
): TokenSource {
  const used = new Map<number, number>();
  return (left) => {
    const distribution = new Distribution(walk.expected(), sampling, used, walk.isAllowed);
    const drawn = distribution.sample(sampling, random);
    const id = walk.fit?.(drawn, left) ?? drawn;
    const logprob = topLogprobs === undefined ? undefined : logprobOf(distribution, id, topLogprobs, tokenizer);
    if (id !== endOfText) {
      walk.take(id);
      used.set(id, (used.get(id) ?? 0) + 1);
    }
    return { id, logprob, isCut: id === endOfText && walk.isCut?.() === true };
  };
}

function logprobOf(distribution: Distribution, chosen: number, count: number, tokenizer: Tokenizer): TokenLogprob {
  const ranked = distribution.top(rankedTokens);
  const logprob = ranked.find(({ id }) => id === chosen)?.logprob ?? minLogprob;
  const alternatives = ranked.slice(0, count).map((one) => ({ ...tokenForm(tokenizer, one.id), logprob: one.logprob }));
  return { ...tokenForm(tokenizer, chosen), logprob, top_logprobs: alternatives };
}
