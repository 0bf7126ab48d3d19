export interface BufferedWriterOptions<Entry> {
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
export interface BufferedWriter<Entry> {
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
    // One write at a time, so that the entries of a failed one are back before the next begins.
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
