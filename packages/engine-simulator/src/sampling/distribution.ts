import { drawToken, invalid } from '@modelwire/ports';
import type { ChatRequest } from '@modelwire/ports';
import type { Random } from '../random.ts';
import { endOfText, isInVocabulary } from '../tokens/tokenizer.ts';

/** The probability of each common word, and of another token before a positive bias is added. */
export const commonShare = 2e-4;
/** The probability of the end where the text goes on: it ends where bias or penalties suppress what comes next. */
export const endShare = 2e-6;
/** Up to temperature 1, a token with less than this fraction of the highest probability is never sampled. */
export const minP = 1e-5;

export interface Candidate {
  readonly id: number;
  /** Its log probability, up to a constant. */
  readonly logit: number;
}

/** The parameters of a request that affect the distribution. */
export interface Sampling extends Pick<
  ChatRequest,
  'temperature' | 'top_p' | 'frequency_penalty' | 'presence_penalty'
> {
  readonly bias: ReadonlyMap<number, number>;
  /** The tokens with a positive bias, the highest first. Sorted once for a request, which may have thousands of them. */
  readonly raised: readonly number[];
}

/** Throws a 400 that names `logit_bias` for a token that is not in the vocabulary. */
export function samplingOf(request: ChatRequest): Sampling {
  const unknown = Object.keys(request.logit_bias).find((id) => !isInVocabulary(id));
  if (unknown !== undefined) {
    const message = `logit_bias: '${unknown.slice(0, 40)}' is not a token of this model. Its tokens are those of o200k: 0 to 199997, and 199999.`;
    throw invalid('logit_bias', message);
  }
  const entries = Object.entries(request.logit_bias).map(([id, amount]) => [Number(id), amount] as const);
  return { ...request, ...samplingBias(new Map(entries)) };
}

export function samplingBias(bias: ReadonlyMap<number, number>): Pick<Sampling, 'bias' | 'raised'> {
  const raised = [...bias].filter(([, amount]) => amount > 0).sort(([, a], [, b]) => b - a);
  return { bias, raised: raised.map(([id]) => id) };
}

/**
 * The next-token distribution of one step: the expected tokens, the end of the text, tokens with a positive bias, and common words. Any
 * other token has a probability of 0, so that a negative bias does not change it.
 *
 * `expected`: probabilities that sum to 1. `used`: how often each token was generated, for the penalties.
 */
export class Distribution {
  readonly #sampling: Sampling;
  /** All candidates but the common words, likeliest first. */
  readonly #own: readonly Candidate[];
  readonly #commonWords: () => readonly Candidate[];

  constructor(
    expected: ReadonlyMap<number, number>,
    sampling: Sampling,
    used: ReadonlyMap<number, number>,
    commonWords: readonly number[],
  ) {
    const { bias, raised, frequency_penalty, presence_penalty } = sampling;
    const candidate = (id: number): Candidate => {
      const share = expected.get(id) ?? (id === endOfText ? endShare : commonShare);
      const count = used.get(id) ?? 0;
      const penalty = count > 0 ? count * frequency_penalty + presence_penalty : 0;
      return { id, logit: Math.log(share) + (bias.get(id) ?? 0) - penalty };
    };
    const own = new Set([...expected.keys(), endOfText, ...raised]);
    this.#sampling = sampling;
    this.#own = Array.from(own, candidate).sort(byLikelihood);
    this.#commonWords = () => commonWords.filter((id) => !own.has(id)).map(candidate);
  }

  /**
   * Draws a token: temperature first, then `min_p` up to temperature 1, then `top_p`. At 0 the likeliest, of equal ones the lower ID. Common words
   * are drawn only above temperature 1, or if everything else is suppressed.
   */
  sample(random: Random): number {
    const { temperature } = this.#sampling;
    const isSuppressed = (this.#own[0]?.logit ?? 0) < Math.log(endShare * minP);
    const candidates = temperature > 1 || isSuppressed ? this.#all() : this.#own;
    const lowest = temperature > 1 ? -Infinity : (candidates[0]?.logit ?? 0) + temperature * Math.log(minP);
    const likely = candidates.filter(({ logit }) => logit >= lowest);
    const drawn = drawToken(likely.map(({ logit }) => logit), this.#sampling, random); // prettier-ignore
    return likely[drawn]?.id ?? endOfText;
  }

  /** The `count` likeliest tokens with their log probabilities, likeliest first, before temperature, `min_p` and `top_p`. */
  top(count: number): { readonly id: number; readonly logprob: number }[] {
    const all = this.#all();
    const highest = all[0]?.logit ?? 0;
    const total = highest + Math.log(all.reduce((sum, { logit }) => sum + Math.exp(logit - highest), 0));
    return all.slice(0, count).map(({ id, logit }) => ({ id, logprob: logit - total }));
  }

  #all(): Candidate[] {
    return [...this.#own, ...this.#commonWords()].sort(byLikelihood);
  }
}

function byLikelihood(a: Candidate, b: Candidate): number {
  return b.logit - a.logit || a.id - b.id;
}
