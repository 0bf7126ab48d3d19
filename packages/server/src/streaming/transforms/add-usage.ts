import type { CompletionUsage } from '@modelwire/schema/types';

/** The sum of the usage of two replies, including their prompts. */
export function addUsage(before: CompletionUsage | undefined, usage: CompletionUsage): CompletionUsage {
  if (!before) return usage;
  const prompt = sumCounts(before.prompt_tokens_details, usage.prompt_tokens_details);
  const completion = sumCounts(before.completion_tokens_details, usage.completion_tokens_details);
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

/** Adds counts by name. */
export function sumCounts(before: Counts | undefined, now: Counts | undefined): Record<string, number> | undefined {
  if (!before && !now) return undefined;
  // A map, since upstreams choose the names: one such as `toString` must not find inherited members.
  const total = new Map<string, number>();
  for (const [name, count] of [...Object.entries(before ?? {}), ...Object.entries(now ?? {})])
    if (typeof count === 'number') total.set(name, (total.get(name) ?? 0) + count);
  return Object.fromEntries(total);
}
