import type { CompletionUsage } from '@modelwire/schema/types';
import type { Principal, UsageIncrement, UsageStore } from '@modelwire/ports';

/** Counts what is used, and writes it to the store now and then: a crash loses at most `everyMs` of accounting. */
export interface Meter {
  /** @param cost In millionths of the currency. Default: that of the usage. */
  count(principal: Principal, model: string, usage: CompletionUsage | undefined, cost?: number): void;
  /** Writes what is not written yet. */
  flush(): Promise<void>;
}

export interface MeterOptions {
  readonly store: UsageStore;
  /** Default 1000. */
  readonly everyMs?: number;
  /** Cost in millionths of the currency. Default: nothing costs anything. */
  readonly costOf?: (model: string, usage: CompletionUsage | undefined) => number;
  /** Told when a write failed; what it held is written with the next. */
  readonly onError: (error: unknown) => void;
  /** Unix milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

const dayMs = 86_400_000;

export function createMeter({ store, everyMs = 1000, costOf = () => 0, onError, now = Date.now }: MeterOptions): Meter {
  let pending = new Map<string, Sum>();
  let writing: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function add(increment: UsageIncrement): void {
    const { day, project, keyId, model } = increment;
    // Ids of projects and keys are ours and hold no line breaks; a model's may hold anything, so it is last.
    const name = `${day}\n${project}\n${keyId}\n${model}`;
    const known = pending.get(name);
    if (known) addTo(known, increment);
    else pending.set(name, { ...increment });
  }
  async function write(): Promise<void> {
    if (pending.size === 0) return;
    const increments = [...pending.values()];
    pending = new Map();
    try {
      await store.add(increments);
    } catch (error) {
      for (const increment of increments) add(increment);
      onError(error);
    }
  }
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One after the other, so that a failed write is back before the next begins.
    return (writing = writing.then(write));
  }
  return {
    count({ project, keyId }, model, usage, cost = costOf(model, usage)) {
      add({
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
      timer ??= setTimeout(() => void flush(), everyMs);
    },
    flush,
  };
}

type Sum = { -readonly [Name in keyof UsageIncrement]: UsageIncrement[Name] };

function addTo(sum: Sum, { requests, inputTokens, outputTokens, cachedTokens, costMicros }: UsageIncrement): void {
  sum.requests += requests;
  sum.inputTokens += inputTokens;
  sum.outputTokens += outputTokens;
  sum.cachedTokens += cachedTokens;
  sum.costMicros += costMicros;
}
