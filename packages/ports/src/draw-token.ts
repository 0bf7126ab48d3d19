import type { ChatRequest } from './chat-request.ts';

/**
 * Draws a token (API: `temperature`, `top_p`). `logprobs`: log probabilities up to a constant, the most likely first. Returns the index of the
 * drawn one; 0 if there is none.
 */
export function drawToken(
  logprobs: readonly number[],
  { temperature, top_p }: Pick<ChatRequest, 'temperature' | 'top_p'>,
  random: () => number,
): number {
  const [best = 0] = logprobs;
  if (temperature === 0 || logprobs.length <= 1) return 0;
  const weights = logprobs.map((logprob) => Math.exp((logprob - best) / temperature));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let count = 0;
  let mass = 0;
  while (count < weights.length && (count === 0 || mass < top_p * total)) mass += weights[count++] ?? 0;
  let place = random() * mass;
  for (let index = 0; index < count; index++) {
    place -= weights[index] ?? 0;
    if (place < 0) return index;
  }
  return count - 1;
}
