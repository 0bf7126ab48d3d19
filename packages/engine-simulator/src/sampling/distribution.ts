import type { Random } from '../random.ts';
import { endOfText, textTokens, vocabularySize } from '../tokens/tokenizer.ts';

/** The probability that is spread evenly over the whole vocabulary at each step. */
export const uniformShare = 2e-6;
const uniformLog = Math.log(uniformShare / vocabularySize);
/** Up to temperature 1, a token with less than this fraction of the highest probability is never sampled. */
export const minP = 1e-5;

/** The parameters of a request that affect the distribution. */
export interface Sampling {
  readonly temperature: number;
  readonly topP: number;
  readonly frequencyPenalty: number;
  readonly presencePenalty: number;
  readonly bias: ReadonlyMap<number, number>;
}

/** Tokens of equal probability: a single one, or with `id` undefined all that have only their uniform share. */
interface Group {
  readonly id: number | undefined;
  readonly weight: number;
  readonly count: number;
}

/**
 * The next-token distribution of one step over the whole vocabulary. A few tokens have a logit of their own; all others share the
 * uniform one and are never enumerated.
 *
 * `expected`: probabilities that sum to 1. `used`: how often each token was generated, for the penalties. `isAllowed`: where it is
 * given, only allowed tokens that are expected, biased or penalised have a probability.
 */
export class Distribution {
  readonly #logits = new Map<number, number>();
  readonly #others: number;
  /** The tokens with a logit of their own, by ID; sorted when they are first needed. */
  #sorted: number[] | undefined;

  constructor(
    expected: ReadonlyMap<number, number>,
    { bias, frequencyPenalty, presencePenalty }: Sampling,
    used: ReadonlyMap<number, number>,
    isAllowed?: (id: number) => boolean,
  ) {
    const isPenalised = frequencyPenalty !== 0 || presencePenalty !== 0;
    for (const id of [...expected.keys(), ...bias.keys(), ...(isPenalised ? used.keys() : [])]) {
      if (this.#logits.has(id) || isAllowed?.(id) === false) continue;
      const share = (expected.get(id) ?? 0) * (1 - uniformShare) + uniformShare / vocabularySize;
      const count = used.get(id) ?? 0;
      const penalty = count > 0 ? count * frequencyPenalty + presencePenalty : 0;
      this.#logits.set(id, Math.log(share) + (bias.get(id) ?? 0) - penalty);
    }
    this.#others = isAllowed ? 0 : vocabularySize - this.#logits.size;
  }

  /** Draws a token: temperature first, then `min_p` up to temperature 1, then `top_p`. At 0 the likeliest, of equal ones the lower ID. */
  sample({ temperature, topP }: Sampling, random: Random): number {
    const likeliest = this.#groups((logit) => logit).reduce((best, group) =>
      byWeight(group, best) < 0 ? group : best,
    );
    if (temperature === 0) return this.#pick(likeliest, 0);
    const weigh = (logit: number): number => Math.exp((logit - likeliest.weight) / temperature);
    const groups = this.#groups(weigh).filter(({ weight }) => temperature > 1 || weight >= minP);
    const nucleusGroups = topP < 1 ? nucleus(groups.sort(byWeight), topP) : groups;
    let remainingMass = random() * massOf(nucleusGroups);
    for (const group of nucleusGroups) {
      const mass = group.weight * group.count;
      if (remainingMass < mass) return this.#pick(group, Math.floor(remainingMass / group.weight));
      remainingMass -= mass;
    }
    return this.#pick(nucleusGroups.at(-1), 0);
  }

  /** The `count` likeliest tokens with their log probabilities, likeliest first, before temperature, `min_p` and `top_p`. */
  top(count: number): { readonly id: number; readonly logprob: number }[] {
    const groups = this.#groups((logit) => logit).sort(byWeight);
    const highest = groups[0]?.weight ?? 0;
    const total = groups.reduce((sum, group) => sum + group.count * Math.exp(group.weight - highest), 0);
    return groups.flatMap((group) =>
      Array.from({ length: Math.min(group.count, count) }, (_, place) => ({
        id: this.#pick(group, place),
        logprob: group.weight - highest - Math.log(total),
      })),
    ).slice(0, count); // prettier-ignore
  }

  #groups(weigh: (logit: number) => number): Group[] {
    const groups: Group[] = Array.from(this.#logits, ([id, logit]) => ({ id, weight: weigh(logit), count: 1 }));
    if (this.#others > 0) groups.push({ id: undefined, weight: weigh(uniformLog), count: this.#others });
    return groups;
  }

  /** The token at a place in a group; those with a logit of their own are skipped. */
  #pick(group: Group | undefined, place: number): number {
    if (group?.id !== undefined) return group.id;
    let id = place;
    this.#sorted ??= [...this.#logits.keys()].sort((a, b) => a - b);
    for (const own of this.#sorted) if (own <= id) id++;
    return id < textTokens ? id : endOfText;
  }
}

function byWeight(a: Group, b: Group): number {
  return b.weight - a.weight || (a.id ?? Infinity) - (b.id ?? Infinity);
}

function massOf(groups: readonly Group[]): number {
  return groups.reduce((sum, { weight, count }) => sum + weight * count, 0);
}

/** The smallest number of the likeliest tokens that together have `topP` of the mass, at least one. */
function nucleus(sorted: readonly Group[], topP: number): Group[] {
  let wanted = massOf(sorted) * topP;
  return sorted.flatMap((group, index) => {
    if (index > 0 && wanted <= 0) return [];
    const count = Math.min(group.count, Math.max(1, Math.ceil(wanted / group.weight)));
    wanted -= count * group.weight;
    return [{ ...group, count }];
  });
}
