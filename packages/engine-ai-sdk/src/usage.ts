import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { CompletionUsage } from '@modelwire/schema/types';

/** Usage in the fields of the API; undefined where the provider did not count prompt and reply. */
export function completionUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): CompletionUsage | undefined {
  const { total: prompt, cacheRead } = inputTokens;
  const { total: completion, reasoning } = outputTokens;
  if (prompt === undefined || completion === undefined) return undefined;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cacheRead !== undefined && { prompt_tokens_details: { cached_tokens: cacheRead } }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}
