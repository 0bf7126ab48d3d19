import { BlobMissingError, createSemaphore } from '@modelwire/ports';
import { digested } from '@modelwire/ports/content-digest';
import type { Blobs } from '@modelwire/server';

/** File contents that are copied at once. */
const concurrency = 8;

/** Size and SHA-256 of contents; undefined if there are none. */
export async function digestBlob(
  blobs: Blobs,
  key: string,
): Promise<{ readonly bytes: number; readonly sha256: string } | undefined> {
  const content = digested(blobs.read(key));
  const pieces = content.stream[Symbol.asyncIterator]();
  try {
    while (!(await pieces.next()).done);
  } catch (error) {
    if (error instanceof BlobMissingError) return undefined;
    throw error;
  }
  return content.result();
}

/** Like `Promise.all` with eight at once. Rejects when all have settled, so that nothing continues in the background. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const slots = createSemaphore(concurrency);
  const outcomes = await Promise.allSettled(items.map((item) => slots.run(() => run(item))));
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}
