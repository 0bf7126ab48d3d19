import { createSemaphore } from '@modelwire/adapter-kit';
import { BlobMissingError, ContentCorruptedError } from '@modelwire/ports';
import type { BlobSegment, Blobs } from '@modelwire/ports';
import { digested } from '@modelwire/adapter-kit/content-digest';
import { ConfigError } from '../config/config-error.ts';

/** Contents with the checksum that they had when they were copied. */
export type CopiedBlob = Required<BlobSegment>;

/** Records as they were at one moment. */
export interface Snapshot {
  /** The contents that the records refer to, each once. */
  blobs(): AsyncIterable<readonly BlobSegment[]>;
  /** The ID of a record that refers to the contents. */
  findRecordOfBlob(key: string): Promise<string | undefined>;
  close(): Promise<void>;
}

interface CopyInit<Records extends Snapshot, Copy> {
  /** For messages. */
  readonly command: 'backup' | 'export';
  readonly source: Blobs;
  readonly target: Blobs;
  takeSnapshot(): Promise<Records>;
  /** Copies the records. The contents that they refer to are copied while `contents` is read. */
  copy(records: Records, contents: AsyncIterable<readonly CopiedBlob[]>): Promise<Copy>;
}

/**
 * Copies records as they are at one moment, and the contents that they refer to, while servers run. Contents that a server deleted in between
 * belong to records that were deleted as well: the records are then copied again. Contents that were copied before are kept if they have the
 * checksum of the source.
 *
 * @throws ConfigError for contents that are damaged, or missing although a later snapshot still refers to them.
 */
export async function copyRecordsWithContents<Records extends Snapshot, Copy>({
  command,
  source,
  target,
  takeSnapshot,
  copy,
}: CopyInit<Records, Copy>): Promise<Copy> {
  /** Of earlier snapshots. */
  const copied = new Set<string>();
  let missing: ReadonlySet<string> = new Set();
  for (;;) {
    const records = await takeSnapshot();
    const walk = { command, records, source, target, copied, missing };
    try {
      return await copy(records, copyContents(walk));
    } catch (error) {
      if (error instanceof ContentCorruptedError)
        throw await unusable(walk, error.key, 'damaged: their checksum is not the one with which they were stored');
      if (!(error instanceof MissingContents)) throw error;
      missing = error.keys;
    } finally {
      await records.close();
    }
  }
}

interface Walk extends Pick<CopyInit<Snapshot, unknown>, 'command' | 'source' | 'target'> {
  readonly records: Snapshot;
  readonly copied: Set<string>;
  /** Contents that were missing when they were copied last. */
  readonly missing: ReadonlySet<string>;
}

class MissingContents extends Error {
  readonly keys: ReadonlySet<string>;

  constructor(keys: ReadonlySet<string>) {
    super(`${keys.size} contents are missing`);
    this.keys = keys;
  }
}

async function* copyContents(walk: Walk): AsyncGenerator<readonly CopiedBlob[]> {
  const stale = new Set(walk.copied);
  const missing = new Set<string>();
  for await (const chunk of walk.records.blobs()) {
    const copies = await mapConcurrently(chunk, async (blob) => {
      stale.delete(blob.key);
      // Contents are deleted after their record, so a record that still refers to missing contents is damaged.
      if (walk.missing.has(blob.key)) throw await unusable(walk, blob.key, 'missing from the file storage');
      try {
        return await copyBlob(walk, blob);
      } catch (error) {
        if (!(error instanceof BlobMissingError)) throw error;
        missing.add(blob.key);
        return undefined;
      }
    });
    yield copies.filter((blob) => blob !== undefined);
  }
  if (missing.size > 0) throw new MissingContents(missing);
  await walk.target.remove([...stale]);
}

async function copyBlob({ command, source, target, copied }: Walk, blob: BlobSegment): Promise<CopiedBlob> {
  const { key, bytes, sha256 } = blob;
  const existing = await digestBlob(target, key);
  if (existing) {
    const expected = sha256 ?? (await digestBlob(source, key))?.sha256;
    if (existing.bytes === bytes && existing.sha256 === expected) return { key, ...existing };
    await target.remove([key]);
  }
  const content = digested(source.read(key));
  await target.write(key, content.stream);
  const result = content.result();
  if (result.bytes !== bytes)
    throw new ConfigError(`${command}: the contents ${key} have ${result.bytes} bytes instead of ${bytes}.`);
  if (sha256 !== undefined && result.sha256 !== sha256) throw new ContentCorruptedError(key);
  copied.add(key);
  return { key, ...result };
}

async function unusable({ command, records }: Walk, key: string, state: string): Promise<ConfigError> {
  const record = (await records.findRecordOfBlob(key)) ?? '';
  return new ConfigError(
    `${command}: the file contents ${key} of the record ${record} are ${state}. See "Lost or damaged data" in docs/operations/incidents.md.`,
  );
}

/**
 * Puts contents of a copy back. Those that an interrupted command left behind are kept if they are intact.
 *
 * @throws {BlobMissingError} when the copy does not have them. @throws {ContentCorruptedError} when they have another checksum there.
 */
export async function putBackBlob({ key, bytes, sha256 }: CopiedBlob, source: Blobs, target: Blobs): Promise<void> {
  const existing = await digestBlob(target, key);
  if (existing?.sha256 === sha256) return;
  if (existing) await target.remove([key]);
  const content = digested(source.read(key));
  await target.write(key, content.stream);
  const copy = content.result();
  if (copy.bytes === bytes && copy.sha256 === sha256) return;
  await target.remove([key]);
  throw new ContentCorruptedError(key);
}

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

/** File contents that are copied at once. */
const concurrency = 8;

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
