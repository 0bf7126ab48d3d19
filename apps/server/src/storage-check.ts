import { setTimeout as sleep } from 'node:timers/promises';
import type { Blobs, Stores } from '@modelwire/server';

/** Probes ask every second or so, from several places: storage is asked no more often than this. */
const everyMs = 5000;
const longestMs = 3000;

/** Gives what cannot be written to; undefined when all is well. */
export function storageCheck(
  stores: Pick<Stores, 'check'>,
  blobs: Pick<Blobs, 'check'>,
): () => Promise<string | undefined> {
  let last: { readonly at: number; readonly found: Promise<string | undefined> } | undefined;
  return () => {
    const now = performance.now();
    if (!last || now - last.at >= everyMs) last = { at: now, found: look(stores, blobs) };
    return last.found;
  };
}

async function look(stores: Pick<Stores, 'check'>, blobs: Pick<Blobs, 'check'>): Promise<string | undefined> {
  const [database, bytes] = await Promise.all([fails(stores), fails(blobs)]);
  if (database) return 'the database cannot be written to';
  return bytes ? 'the bytes of files cannot be written' : undefined;
}

async function fails(storage: { check(): Promise<void> }): Promise<boolean> {
  const late = new AbortController();
  try {
    return await Promise.race([
      storage.check().then(() => false),
      sleep(longestMs, true, { signal: late.signal, ref: false }),
    ]);
  } catch {
    return true;
  } finally {
    late.abort();
  }
}
