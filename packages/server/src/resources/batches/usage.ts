import { usageSchema } from '@modelwire/schema';
import type { BatchUsage } from '@modelwire/schema/types';

/** Embeddings have no completion tokens. */
const lineUsageSchema = usageSchema.partial({ completion_tokens: true });

/** What a batch has used, with what one more line of its output says. Lines that say nothing count nothing. */
export function addUsage(sum: BatchUsage | undefined, outputLine: string): BatchUsage | undefined {
  const line = JSON.parse(outputLine) as {
    readonly response?: { readonly body?: { readonly usage?: unknown } } | null;
  };
  const said = lineUsageSchema.safeParse(line.response?.body?.usage);
  if (!said.success) return sum;
  const {
    prompt_tokens,
    completion_tokens = 0,
    total_tokens,
    prompt_tokens_details,
    completion_tokens_details,
  } = said.data;
  return {
    input_tokens: (sum?.input_tokens ?? 0) + prompt_tokens,
    input_tokens_details: {
      cached_tokens: (sum?.input_tokens_details.cached_tokens ?? 0) + (prompt_tokens_details?.cached_tokens ?? 0),
    },
    output_tokens: (sum?.output_tokens ?? 0) + completion_tokens,
    output_tokens_details: {
      reasoning_tokens:
        (sum?.output_tokens_details.reasoning_tokens ?? 0) + (completion_tokens_details?.reasoning_tokens ?? 0),
    },
    total_tokens: (sum?.total_tokens ?? 0) + total_tokens,
  };
}
