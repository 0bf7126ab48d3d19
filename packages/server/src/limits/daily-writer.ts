import { createBufferedWriter } from './buffered-writer.ts';
import type { BufferedWriter } from './buffered-writer.ts';
import { createDailyKeyFormatter } from './daily-key.ts';
import type { DailyKey } from './daily-key.ts';

export interface DailyWriterOptions<Entry> {
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
export function createDailyWriter<Entry extends DailyKey>({
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
