import type { CompletionUsage } from '@modelwire/schema/types';
import type { Principal, UsageIncrement } from '@modelwire/ports';
import { createDailyWriter } from './daily-writer.ts';
import type { DailyWriterOptions } from './daily-writer.ts';

/** Counts usage and writes it to the store at intervals: a crash loses at most that of `intervalMs`. */
export interface UsageMeter {
  /** @param cost In millionths of the currency. Default: that of the usage. */
  count(principal: Principal, model: string, usage: CompletionUsage | undefined, cost?: number): void;
  /** Writes pending usage. */
  flush(): Promise<void>;
}

export interface UsageMeterOptions extends DailyWriterOptions<UsageIncrement> {
  /** Cost in millionths of the currency. Default: no costs. */
  readonly costOf?: (model: string, usage: CompletionUsage | undefined) => number;
}

export function createUsageMeter({ costOf = () => 0, ...options }: UsageMeterOptions): UsageMeter {
  const writer = createDailyWriter<UsageIncrement>({
    ...options,
    merge: (existing, added) => ({
      ...existing,
      requests: existing.requests + added.requests,
      inputTokens: existing.inputTokens + added.inputTokens,
      outputTokens: existing.outputTokens + added.outputTokens,
      cachedTokens: existing.cachedTokens + added.cachedTokens,
      costMicros: existing.costMicros + added.costMicros,
    }),
  });
  return {
    count({ project, keyId }, model, usage, cost = costOf(model, usage)) {
      writer.add({
        day: writer.today(),
        project,
        keyId,
        model,
        requests: 1,
        inputTokens: usage?.prompt_tokens ?? 0,
        outputTokens: usage?.completion_tokens ?? 0,
        cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? 0,
        costMicros: cost,
      });
    },
    flush: writer.flush,
  };
}
