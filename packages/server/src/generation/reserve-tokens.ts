import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { ServerContext } from '../context.ts';
import type { Call } from '../call.ts';
import { reserveFromLimits } from '../limits/token-reservation.ts';
import type { PromptTokens } from '../streaming/prompt-tokens.ts';

/** Output tokens that are reserved for each choice of a request without an output limit, as far as they are left. */
const unboundedOutput = 4096;
/** Output tokens that have to be left for each choice of such a request: few, so that a small limit serves several requests in a row. */
const enoughForOutput = 256;
const fix = "(the prompt and the output limit of each choice). Shorten the messages or lower 'max_completion_tokens'.";

/**
 * Reserves the tokens that a request may take: its prompt, and its output limit for each choice. Without an output limit those are 4,096 for
 * each choice, or what the key has left, if that is at least 256 for each choice or all of its limit. Resolves to the number reserved.
 *
 * @throws a 429 when the key has not so many left, or can never have.
 */
export function reserveTokens(
  call: Pick<Call<ChatCompletionCreateParams>, 'body' | 'principal' | 'responseHeaders'>,
  server: ServerContext,
  prompt: () => PromptTokens,
): number | Promise<number> {
  const demand = () => {
    const { prompt: tokens, leastOutput, mostOutput, enoughOutput } = estimateTokens(call.body, prompt);
    return { least: tokens + leastOutput, most: tokens + mostOutput, enough: tokens + enoughOutput };
  };
  return reserveFromLimits(server.options.rateLimiter, call, demand, fix);
}

/** The tokens of the prompt, and of the output of all choices. */
export function estimateTokens(
  { n, max_completion_tokens, max_tokens }: ChatCompletionCreateParams,
  prompt: () => PromptTokens,
) {
  const choices = n ?? 1;
  const limit = max_completion_tokens ?? max_tokens ?? undefined;
  return {
    prompt: prompt().tokens,
    leastOutput: choices * (limit ?? 1),
    mostOutput: choices * (limit ?? unboundedOutput),
    enoughOutput: choices * (limit ?? enoughForOutput),
  };
}
