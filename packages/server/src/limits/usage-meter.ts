import type { CompletionUsage } from '@modelwire/schema/types';
import type { Principal, UsageIncrement, UsageStore } from '@modelwire/ports';
import { createBufferedWriter } from './buffered-writer.ts';

/** Counts usage and writes it to the store at intervals: a crash loses at most that of `everyMs`. */
export interface Meter {
  /** @param cost In millionths of the currency. Default: that of the usage. */
  count(principal: Principal, model: string, usage: CompletionUsage | undefined, cost?: number): void;
  /** Writes pending usage. */
  flush(): Promise<void>;
}

export interface MeterOptions {
  readonly store: UsageStore;
  /** Default 1000. */
  readonly everyMs?: number;
  /** Cost in millionths of the currency. Default: no costs. */
  readonly costOf?: (model: string, usage: CompletionUsage | undefined) => number;
  /** Called when a write failed; its counts are written with the next. */
  readonly onError: (error: unknown) => void;
  /** Unix milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

const dayMs = 86_400_000;

export function createMeter({ store, everyMs = 1000, costOf = () => 0, onError, now = Date.now }: MeterOptions): Meter {
  const writer = createBufferedWriter<UsageIncrement>({
    // IDs of projects and keys have no line breaks; a model's may have any character, so it is last.
    keyOf: ({ day, project, keyId, model }) => `${day}\n${project}\n${keyId}\n${model}`,
    merge: (known, added) => ({
      ...known,
      requests: known.requests + added.requests,
      inputTokens: known.inputTokens + added.inputTokens,
      outputTokens: known.outputTokens + added.outputTokens,
      cachedTokens: known.cachedTokens + added.cachedTokens,
      costMicros: known.costMicros + added.costMicros,
    }),
    write: (increments) => store.add(increments),
    intervalMs: everyMs,
    onError,
  });
  return {
    count({ project, keyId }, model, usage, cost = costOf(model, usage)) {
      writer.add({
        day: Math.floor(now() / dayMs) * (dayMs / 1000),
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
