interface BufferedWriterOptions<Entry> {
  /** Entries with the same key are merged until they are written. */
  readonly keyOf: (entry: Entry) => string;
  readonly merge: (existing: Entry, added: Entry) => Entry;
  readonly write: (entries: readonly Entry[]) => Promise<void>;
  readonly intervalMs: number;
  /** Called when a write failed; its entries are written with the next. */
  readonly onError: (error: unknown) => void;
  /** Called for an entry that is given up: it failed repeatedly, alone, while others were written. Default: `onError`. */
  readonly onDrop?: ((entry: Entry, error: unknown) => void) | undefined;
  /** Whether entries that are not written yet keep the process alive. Default true. */
  readonly keepsProcessAlive?: boolean;
}

/** Collects entries and writes them at intervals: a crash loses at most those of `intervalMs`. */
export interface BufferedWriter<Entry> {
  add(entry: Entry): void;
  /** Writes pending entries. */
  flush(): Promise<void>;
}

/** How often an entry fails alone, while others are written, until it is given up. */
const maxFailures = 3;
/** After so many entries that failed one by one, without one that was written, the store is considered unavailable. */
const maxProbes = 8;

/**
 * Entries are written together, and one by one when that fails twice in a row, so that one which cannot be written does not block the others. Such an entry is
 * retried alone; when it has failed several times while others were written, it is given up.
 */
export function createBufferedWriter<Entry>({
  keyOf,
  merge,
  write,
  intervalMs,
  onError,
  onDrop = (_, error) => onError(error),
  keepsProcessAlive = true,
}: BufferedWriterOptions<Entry>): BufferedWriter<Entry> {
  let pending = new Map<string, Entry>();
  /** Entries that failed alone while others were written, and how often. */
  let suspects: { readonly entry: Entry; readonly failures: number }[] = [];
  /** Whether the last write of all pending entries failed. */
  let hasFailed = false;
  let writing: Promise<void> = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function put(entry: Entry): void {
    const key = keyOf(entry);
    const existing = pending.get(key);
    const merged = existing === undefined ? entry : merge(existing, entry);
    if (merged !== existing) pending.set(key, merged);
  }
  /** Resolves to the error of a write that failed. */
  async function attempt(entries: readonly Entry[]): Promise<{ readonly error: unknown } | undefined> {
    try {
      await write(entries);
      return undefined;
    } catch (error) {
      return { error };
    }
  }
  async function writePending(): Promise<void> {
    const entries = [...pending.values()];
    pending = new Map();
    const areWritten = entries.length > 0 && (await writeEach(entries));
    if (areWritten) await retrySuspects();
  }
  /** Resolves to whether the store has written any of them. */
  async function writeEach(entries: readonly Entry[]): Promise<boolean> {
    const failure = await attempt(entries);
    const isRepeated = hasFailed;
    hasFailed = failure !== undefined;
    if (!failure) return true;
    onError(failure.error);
    if (!isRepeated || entries.length === 1) {
      for (const entry of entries) put(entry);
      return false;
    }
    const failed: Entry[] = [];
    let isAnyWritten = false;
    let next = 0;
    for (; next < entries.length && (isAnyWritten || failed.length < maxProbes); next++) {
      const single = entries.slice(next, next + 1);
      if (await attempt(single)) failed.push(...single);
      else isAnyWritten = true;
    }
    if (isAnyWritten) suspects.push(...failed.map((entry) => ({ entry, failures: 1 })));
    // Those that were not tried are first in the next attempt.
    else for (const entry of [...entries.slice(next), ...failed]) put(entry);
    return isAnyWritten;
  }
  async function retrySuspects(): Promise<void> {
    const retried = suspects;
    suspects = [];
    for (const { entry, failures } of retried) {
      const failure = await attempt([entry]);
      if (!failure) continue;
      if (failures + 1 >= maxFailures) onDrop(entry, failure.error);
      else suspects.push({ entry, failures: failures + 1 });
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
