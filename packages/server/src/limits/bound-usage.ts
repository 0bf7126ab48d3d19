import { toCount } from '@modelwire/adapter-kit/internal';
import type { CompletionUsage } from '@modelwire/schema/types';

/** The most that a request can mean. Engines and upstreams can report any number. */
interface UsageBounds {
  readonly maxPromptTokens: number;
  readonly maxCompletionTokens: number;
}

/** More than any model reads, for prompts whose length the server does not know, such as files at an upstream. */
export const maxPromptTokensOfAnyModel = 10_000_000;
/** More than any model generates for one choice. */
export const maxCompletionTokensOfAnyModel = 1_000_000;
/** Tokens that a chat template, the descriptions of tools, and instructions of the upstream may add to a prompt. */
export const addedPromptTokens = 4096;

/** No character of a string has more bytes in UTF-8 for each UTF-16 code unit, and no token has less than one byte. */
export const maxTokensPerCodeUnit = 3;

/** The most tokens that a text can have. */
export function maxTokensOfText(text: string): number {
  return maxTokensPerCodeUnit * text.length;
}

/**
 * The usage that an engine reported, limited to what the request can mean: integers, a total that is the sum, and details that are part of
 * their count. Other fields are unchanged.
 */
export function boundUsage(usage: CompletionUsage, bounds: UsageBounds): CompletionUsage {
  const prompt_tokens = toCount(usage.prompt_tokens, toCount(bounds.maxPromptTokens));
  const completion_tokens = toCount(usage.completion_tokens, toCount(bounds.maxCompletionTokens));
  const { prompt_tokens_details: promptDetails, completion_tokens_details: completionDetails } = usage;
  return {
    ...usage,
    prompt_tokens,
    completion_tokens,
    total_tokens: prompt_tokens + completion_tokens,
    ...(promptDetails && { prompt_tokens_details: boundDetails(promptDetails, prompt_tokens) }),
    ...(completionDetails && { completion_tokens_details: boundDetails(completionDetails, completion_tokens) }),
  };
}

function boundDetails<Details extends object>(details: Details, max: number): Details {
  const bounded = Object.entries(details).map(([name, value]: readonly [string, unknown]) => [
    name,
    typeof value === 'number' ? toCount(value, max) : value,
  ]) satisfies [string, unknown][];
  return { ...details, ...Object.fromEntries<unknown>(bounded) };
}
