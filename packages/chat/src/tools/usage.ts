import type { CompletionUsage } from '@modelwire/schema/types';

/** Adds the usage of a request, field by field. */
export function addUsage(sum: CompletionUsage, more: CompletionUsage | undefined): CompletionUsage {
  if (more === undefined) return sum;
  const completion = addCounts(sum.completion_tokens_details, more.completion_tokens_details);
  const prompt = addCounts(sum.prompt_tokens_details, more.prompt_tokens_details);
  return {
    prompt_tokens: sum.prompt_tokens + more.prompt_tokens,
    completion_tokens: sum.completion_tokens + more.completion_tokens,
    total_tokens: sum.total_tokens + more.total_tokens,
    ...(completion && { completion_tokens_details: completion }),
    ...(prompt && { prompt_tokens_details: prompt }),
  };
}

type Counts = Readonly<Record<string, number | undefined>>;

function addCounts(sum: Counts | undefined, more: Counts | undefined): Record<string, number> | undefined {
  if (!sum && !more) return undefined;
  // A map, since servers choose the names, and a name such as `toString` must not match an inherited member.
  const total = new Map<string, number>();
  for (const [name, count] of [...Object.entries(sum ?? {}), ...Object.entries(more ?? {})]) {
    if (typeof count === 'number') total.set(name, (total.get(name) ?? 0) + count);
  }
  return Object.fromEntries(total);
}
