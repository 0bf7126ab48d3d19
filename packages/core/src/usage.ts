type Counts = Readonly<Record<string, number | undefined>>;

/** The usage of a chat or text completion. */
export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly completion_tokens_details?: Counts | undefined;
  readonly prompt_tokens_details?: Counts | undefined;
}

/** The usage of two requests together, field by field. */
export function addUsage(sum: Usage, more: Usage | undefined): Usage {
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

/** Adds counts by name, such as the details of usage. */
export function addCounts(sum: Counts | undefined, more: Counts | undefined): Record<string, number> | undefined {
  if (!sum && !more) return undefined;
  // A map, since servers choose the names, and a name such as `toString` must not match an inherited member.
  const total = new Map<string, number>();
  for (const [name, count] of [...Object.entries(sum ?? {}), ...Object.entries(more ?? {})]) {
    if (typeof count === 'number') total.set(name, (total.get(name) ?? 0) + count);
  }
  return Object.fromEntries(total);
}
