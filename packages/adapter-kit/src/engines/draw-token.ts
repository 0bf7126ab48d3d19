import type { ChatRequest } from '@modelwire/ports';

export type DrawOptions = Pick<ChatRequest, 'temperature' | 'top_p'> &
  Partial<Pick<ChatRequest, 'min_p' | 'top_k' | 'typical_p'>>;

interface Candidate {
  readonly index: number;
  readonly weight: number;
}

/**
 * Draws a token (API: `temperature`, `top_k`, `typical_p`, `top_p`, `min_p`, applied in this order). `logprobs`: log probabilities up to a
 * constant, the most likely first. Returns the index of the drawn one; 0 if there is none.
 */
export function drawToken(logprobs: readonly number[], options: DrawOptions, random: () => number): number {
  const { temperature, top_p, min_p = 0, top_k = 0, typical_p = 1 } = options;
  const [best = 0] = logprobs;
  if (temperature === 0 || logprobs.length <= 1) return 0;
  const likely = top_k > 0 ? logprobs.slice(0, top_k) : logprobs;
  const all = likely.map((logprob, index) => ({ index, weight: Math.exp((logprob - best) / temperature) }));
  const candidates = typical_p < 1 ? typical(all, typical_p) : all;
  const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
  const lowest = min_p * (candidates[0]?.weight ?? 0);
  let count = 0;
  let mass = 0;
  for (const { weight } of candidates) {
    if (count > 0 && (mass >= top_p * total || weight < lowest)) break;
    mass += weight;
    count++;
  }
  let place = random() * mass;
  for (const { index, weight } of candidates.slice(0, count)) {
    place -= weight;
    if (place < 0) return index;
  }
  return candidates[count - 1]?.index ?? 0;
}

/** The tokens whose information is closest to the expected one, with a probability of at least `share` together, the most likely first. */
function typical(candidates: readonly Candidate[], share: number): readonly Candidate[] {
  const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
  const informationOf = ({ weight }: Candidate): number => -Math.log(Math.max(weight / total, Number.MIN_VALUE));
  const entropy = candidates.reduce((sum, one) => sum + (one.weight / total) * informationOf(one), 0);
  const distanceOf = (one: Candidate): number => Math.abs(informationOf(one) - entropy);
  const kept: Candidate[] = [];
  let mass = 0;
  for (const one of candidates.toSorted((a, b) => distanceOf(a) - distanceOf(b))) {
    if (kept.length > 0 && mass >= share * total) break;
    kept.push(one);
    mass += one.weight;
  }
  return kept.sort((a, b) => a.index - b.index);
}
