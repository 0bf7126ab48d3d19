import type { ChatCompletionCreateParams } from '@modelwire/schema/types';
import type { ServerContext } from '../context.ts';
import type { Call } from '../call.ts';
import { reserveFromLimits } from '../limits/token-reservation.ts';
import type { PromptTokens } from '../streaming/prompt-tokens.ts';

/** Output tokens that are reserved for each choice of a request without an output limit, as far as they are left. */
const unboundedOutput = 4096;
/** Output tokens that have to be left for each choice of such a request: few, so that a small limit serves several requests in a row. */
const enoughOutput = 256;
const fix = "(the prompt and the output limit of each choice). Shorten the messages or lower 'max_completion_tokens'.";

/**
 * Reserves the tokens that a request may take: its prompt, and its output limit for each choice. Without an output limit those are 4,096 for
 * each choice, or what the key has left, if that is at least 256 for each choice or all of its limit. Resolves to the number reserved.
 *
 * @throws a 429 when the key has not so many left, or can never have.
 */
export function reserveTokens(
  call: Pick<Call<ChatCompletionCreateParams>, 'body' | 'principal' | 'responseHeaders'>,
  kit: ServerContext,
  prompt: () => PromptTokens,
): number | Promise<number> {
  const demand = () => {
    const { n, max_completion_tokens, max_tokens } = call.body;
    const choices = n ?? 1;
    const limit = max_completion_tokens ?? max_tokens ?? undefined;
    const { tokens } = prompt();
    return {
      least: tokens + choices * (limit ?? 1),
      most: tokens + choices * (limit ?? unboundedOutput),
      enough: tokens + choices * (limit ?? enoughOutput),
    };
  };
  return reserveFromLimits(kit.options.rateLimiter, call, demand, fix);
}
