import type { DailyKey, RequestStats, Principal, UsageIncrement, KeyStore } from '@modelwire/ports';
import type { CompletionUsage } from '@modelwire/schema/types';

interface BufferedWriterOptions<Entry> {
  /** Entries with the same key are merged until they are written. */
  readonly keyOf: (entry: Entry) => string;
  readonly merge: (existing: Entry, added: Entry) => Entry;
  readonly write: (entries: readonly Entry[]) => Promise<void>;
  readonly intervalMs: number;
  /** Called when a write failed; its entries are written with the next. */
  readonly onError: (error: unknown) => void;
  /** Whether entries that are not written yet keep the process alive. Default true. */
  readonly keepsProcessAlive?: boolean;
}

/** Collects entries and writes them at intervals: a crash loses at most those of `intervalMs`. */
interface BufferedWriter<Entry> {
  add(entry: Entry): void;
  /** Writes pending entries. */
  flush(): Promise<void>;
}

export function createBufferedWriter<Entry>({
  keyOf,
  merge,
  write,
  intervalMs,
  onError,
  keepsProcessAlive = true,
}: BufferedWriterOptions<Entry>): BufferedWriter<Entry> {
  let pending = new Map<string, Entry>();
  let writing: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function put(entry: Entry): void {
    const key = keyOf(entry);
    const existing = pending.get(key);
    const merged = existing === undefined ? entry : merge(existing, entry);
    if (merged !== existing) pending.set(key, merged);
  }
  async function writePending(): Promise<void> {
    if (pending.size === 0) return;
    const entries = [...pending.values()];
    pending = new Map();
    try {
      await write(entries);
    } catch (error) {
      for (const entry of entries) put(entry);
      onError(error);
    }
  }
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One write at a time, so that the entries of a failed one are back before the next one starts.
    return (writing = writing.then(writePending));
  }
  return {
    add(entry) {
      put(entry);
      if (timer !== undefined) return;
      timer = setTimeout(() => void flush(), intervalMs);
      // On runtimes where a timer is a number, it does not keep the process alive.
      if (!keepsProcessAlive && typeof timer === 'object') timer.unref();
    },
    flush,
  };
}

/**
 * Returns a function that joins the fields of a key to one string. It returns the same string again while they do not change, as most
 * requests follow one of the same key and model: building and hashing a new string takes longer than comparing the fields.
 */
export function createDailyKeyFormatter(): (fields: DailyKey) => string {
  let last: DailyKey | undefined;
  let key = '';
  return (fields) => {
    const { day, project, keyId, model } = fields;
    if (last?.day === day && last.project === project && last.keyId === keyId && last.model === model) return key;
    last = fields;
    // IDs of projects and keys have no line breaks; the name of a model may contain any character, so it is last.
    return (key = `${day}\n${project}\n${keyId}\n${model}`);
  };
}

interface DailyWriterOptions<Entry> {
  readonly store: { add(entries: readonly Entry[]): Promise<void> };
  /** Default 1000. */
  readonly intervalMs?: number | undefined;
  /** Called when a write failed; its counts are written with the next. */
  readonly onError: (error: unknown) => void;
  /** Unix milliseconds; for tests. Default: the clock. */
  readonly now?: (() => number) | undefined;
}

const dayMs = 86_400_000;

/** Collects counts by day, project, key and model, and writes them at intervals. `today()` is the current day in Unix seconds, UTC. */
function createDailyWriter<Entry extends DailyKey>({
  store,
  merge,
  intervalMs = 1000,
  onError,
  now = Date.now,
}: DailyWriterOptions<Entry> & { readonly merge: (existing: Entry, added: Entry) => Entry }): BufferedWriter<Entry> & {
  today(): number;
} {
  const writer = createBufferedWriter<Entry>({
    keyOf: createDailyKeyFormatter(),
    merge,
    write: (entries) => store.add(entries),
    intervalMs,
    onError,
  });
  return { ...writer, today: () => Math.floor(now() / dayMs) * (dayMs / 1000) };
}

/** Counts usage and writes it to the store at intervals: a crash loses at most that of `intervalMs`. */
export interface UsageMeter {
  /** @param cost In millionths of the currency. Default: that of the usage. */
  count(principal: Principal, model: string, usage: CompletionUsage | undefined, cost?: number): void;
  /** Writes pending usage. */
  flush(): Promise<void>;
}

interface UsageMeterOptions extends DailyWriterOptions<UsageIncrement> {
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

/** How a request ended. */
interface RequestOutcome {
  readonly project: string;
  readonly keyId: string;
  /** Empty where the request named no model of the server. */
  readonly model: string;
  readonly isError: boolean;
  readonly durationMs: number;
}

/** Counts outcomes of requests and writes them to the store at intervals: a crash loses at most those of `intervalMs`. */
export interface RequestCounter {
  count(outcome: RequestOutcome): void;
  /** Writes pending counts. */
  flush(): Promise<void>;
}

export function createRequestCounter(options: DailyWriterOptions<RequestStats>): RequestCounter {
  const writer = createDailyWriter<RequestStats>({
    ...options,
    merge: (existing, added) => ({
      ...existing,
      requests: existing.requests + added.requests,
      errors: existing.errors + added.errors,
      durationMs: existing.durationMs + added.durationMs,
    }),
  });
  return {
    count({ project, keyId, model, isError, durationMs }) {
      const day = writer.today();
      writer.add({ day, project, keyId, model, requests: 1, errors: isError ? 1 : 0, durationMs });
    },
    flush: writer.flush,
  };
}

/** Records when keys are used, at most once a minute for each key. */
export interface KeyUse {
  record(keyId: string): void;
  /** Writes pending uses. */
  flush(): Promise<void>;
}

interface KeyUseOptions {
  readonly store: KeyStore;
  /** Called when a write failed; its uses are written with the next. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between writes. Default a minute. */
  readonly intervalMs?: number;
  /** Unix milliseconds; for tests. Default: the clock. */
  readonly now?: () => number;
}

export function createKeyUse({ store, onError, intervalMs = 60_000, now = Date.now }: KeyUseOptions): KeyUse {
  const writer = createBufferedWriter<KeyUseEntry>({
    keyOf: ({ id }) => id,
    merge: (existing, added) => (existing.at >= added.at ? existing : added),
    write: (uses) => store.recordUse(uses),
    intervalMs,
    onError,
    keepsProcessAlive: false,
  });
  return {
    record: (id) => writer.add({ id, at: Math.floor(now() / 1000) }),
    flush: writer.flush,
  };
}

interface KeyUseEntry {
  readonly id: string;
  /** Unix seconds. */
  readonly at: number;
}
