import type { CompletionUsage } from '@modelwire/schema/types';

/** What two replies took together, their prompts included. */
export function added(before: CompletionUsage | undefined, usage: CompletionUsage): CompletionUsage {
  if (!before) return usage;
  const prompt = sum(before.prompt_tokens_details, usage.prompt_tokens_details);
  const completion = sum(before.completion_tokens_details, usage.completion_tokens_details);
  return {
    ...usage,
    prompt_tokens: before.prompt_tokens + usage.prompt_tokens,
    completion_tokens: before.completion_tokens + usage.completion_tokens,
    total_tokens: before.total_tokens + usage.total_tokens,
    ...(prompt && { prompt_tokens_details: prompt }),
    ...(completion && { completion_tokens_details: completion }),
  };
}

type Counts = Readonly<Record<string, number | undefined>>;

function sum(before: Counts | undefined, now: Counts | undefined): Record<string, number> | undefined {
  if (!before && !now) return undefined;
  const total: Record<string, number> = {};
  for (const [name, count = 0] of [...Object.entries(before ?? {}), ...Object.entries(now ?? {})])
    total[name] = (total[name] ?? 0) + count;
  return total;
}
