import type { TokenLogprob } from '@modelwire/schema/types';

/** The log probability of a token that is not one of the 20 most likely ones (API: Logprobs). */
const otherLogprob = -9999;
const rankedTokens = 20;

/** Tokens and their log probabilities, the most likely first. */
export interface RankedTokens<Id extends number> {
  readonly ids: readonly Id[];
  readonly logprobs: readonly number[];
}

/** The log probability of a chosen token, and `count` alternatives. */
export function reportLogprob<Id extends number>(
  { ids, logprobs }: RankedTokens<Id>,
  chosen: Id,
  count: number,
  describe: (id: Id) => Pick<TokenLogprob, 'token' | 'bytes'>,
): TokenLogprob {
  const rank = ids.indexOf(chosen);
  return {
    ...describe(chosen),
    logprob: rank >= 0 && rank < rankedTokens ? (logprobs[rank] ?? otherLogprob) : otherLogprob,
    top_logprobs: ids
      .slice(0, count)
      .map((id, index) => ({ ...describe(id), logprob: logprobs[index] ?? otherLogprob })),
  };
}
