import { biasedTokens, drawToken } from '@modelwire/adapter-kit';
import type { RankedTokens } from '@modelwire/adapter-kit';
import type { ChatRequest } from '@modelwire/ports';
import type { Random } from '../random.ts';
import { endOfText, isInVocabulary } from '../tokens/tokenizer.ts';

/** The probability of each common word, and of another token before a positive bias is added. */
export const commonShare = 2e-4;
/** The probability of the end where the text goes on: it ends where bias or penalties suppress what comes next. */
export const endShare = 2e-6;
/** Up to temperature 1, a token with less than this fraction of the highest probability is never sampled. */
export const minP = 1e-5;

/** The parameters of a request that affect the distribution. */
export interface Sampling
  extends
    Pick<ChatRequest, 'temperature' | 'top_p' | 'frequency_penalty' | 'presence_penalty'>,
    Partial<Pick<ChatRequest, 'min_p' | 'repeat_penalty' | 'top_k' | 'typical_p'>> {
  readonly bias: ReadonlyMap<number, number>;
  /** The tokens with a positive bias, the highest first. Each step sorts them with others, which is fast if thousands of them are in order. */
  readonly raised: readonly number[];
}

/** Throws a 400 that names `logit_bias` for a token that is not in the vocabulary. */
export function samplingOf(request: ChatRequest): Sampling {
  const tokens = 'those of o200k: 0 to 199997, and 199999';
  return { ...request, ...samplingBias(biasedTokens(request.logit_bias, isInVocabulary, tokens)) };
}

export function samplingBias(entries: readonly (readonly [number, number])[]): Pick<Sampling, 'bias' | 'raised'> {
  const raised = entries.filter(([, amount]) => amount > 0).sort(([, a], [, b]) => b - a);
  return { bias: new Map(entries), raised: raised.map(([id]) => id) };
}

export type Distribution = ReturnType<typeof createDistribution>;

/**
 * The next-token distribution of one step: the expected tokens, the end of the text, tokens with a positive bias, and common words. Any
 * other token has a probability of 0, so that a negative bias does not change it.
 *
 * `expected`: probabilities that sum to 1. `used`: how often each token was generated, for the penalties.
 */
export function createDistribution(
  expected: ReadonlyMap<number, number>,
  sampling: Sampling,
  used: ReadonlyMap<number, number>,
  commonWords: readonly number[],
) {
  const { temperature, bias, raised, frequency_penalty, presence_penalty, repeat_penalty = 1 } = sampling;
  /** Log probabilities up to a constant, likeliest first; of equal ones that of the lower ID. */
  const candidates = (ids: Iterable<number>) =>
    Array.from(ids, (id) => {
      const share = expected.get(id) ?? (id === endOfText ? endShare : commonShare);
      const count = used.get(id) ?? 0;
      const penalty = count > 0 ? count * frequency_penalty + presence_penalty : 0;
      const logit = Math.log(share) + (bias.get(id) ?? 0);
      // These are log probabilities, of which an expected one can be 0: the penalty divides the probability.
      const repeated = count > 0 ? Math.log(repeat_penalty) : 0;
      return { id, logit: logit - repeated - penalty };
    }).sort((a, b) => b.logit - a.logit || a.id - b.id);
  const ids = [...expected.keys(), endOfText, ...raised];
  const own = candidates(new Set(ids));
  const all = () => candidates(new Set([...ids, ...commonWords]));
  return {
    /**
     * Draws a token: temperature first, then `min_p` up to temperature 1, then `top_p`. At 0 the likeliest, of equal ones the lower ID. Common words
     * are drawn only above temperature 1, or if everything else is suppressed.
     */
    sample(random: Random): number {
      const isSuppressed = (own[0]?.logit ?? 0) < Math.log(endShare * minP);
      const possible = temperature > 1 || isSuppressed ? all() : own;
      const lowest = temperature > 1 ? -Infinity : (possible[0]?.logit ?? 0) + temperature * Math.log(minP);
      const likely = possible.filter(({ logit }) => logit >= lowest);
      const logits = likely.map(({ logit }) => logit);
      return likely[drawToken(logits, sampling, random)]?.id ?? endOfText;
    },
    /** All tokens with their log probabilities, likeliest first, before temperature, `min_p` and `top_p`. */
    ranked(): RankedTokens<number> {
      const ranked = all();
      const highest = ranked[0]?.logit ?? 0;
      const total = highest + Math.log(ranked.reduce((sum, { logit }) => sum + Math.exp(logit - highest), 0));
      return { ids: ranked.map(({ id }) => id), logprobs: ranked.map(({ logit }) => logit - total) };
    },
  };
}
