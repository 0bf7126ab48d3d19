import { isRecord } from '@modelwire/ports';
import { responseUsageSchema, usageSchema } from '@modelwire/schema';
import type { BatchUsage } from '@modelwire/schema/types';

/** Embeddings have no completion tokens. */
const lineUsageSchema = usageSchema.partial({ completion_tokens: true });

/** Adds the usage of one line of the output file to that of the batch. Lines without usage add nothing. */
export function addUsage(sum: BatchUsage | undefined, outputLine: string): BatchUsage | undefined {
  const line = JSON.parse(outputLine) as {
    readonly response?: { readonly body?: { readonly usage?: unknown } } | null;
  };
  const added = usageOf(line.response?.body?.usage);
  if (!added) return sum;
  return {
    input_tokens: (sum?.input_tokens ?? 0) + added.input_tokens,
    input_tokens_details: {
      cached_tokens: (sum?.input_tokens_details.cached_tokens ?? 0) + added.input_tokens_details.cached_tokens,
    },
    output_tokens: (sum?.output_tokens ?? 0) + added.output_tokens,
    output_tokens_details: {
      reasoning_tokens:
        (sum?.output_tokens_details.reasoning_tokens ?? 0) + added.output_tokens_details.reasoning_tokens,
    },
    total_tokens: (sum?.total_tokens ?? 0) + added.total_tokens,
  };
}

/** The usage of a line in the fields of a batch, which are those of a response. Undefined if the line has none. */
function usageOf(usage: unknown): BatchUsage | undefined {
  if (isRecord(usage) && 'input_tokens' in usage) {
    const ofResponse = responseUsageSchema.safeParse(usage);
    if (ofResponse.success) return ofResponse.data;
  }
  const parsed = lineUsageSchema.safeParse(usage);
  if (!parsed.success) return undefined;
  const { prompt_tokens, completion_tokens = 0, total_tokens } = parsed.data;
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: { cached_tokens: parsed.data.prompt_tokens_details?.cached_tokens ?? 0 },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: parsed.data.completion_tokens_details?.reasoning_tokens ?? 0 },
    total_tokens,
  };
}
