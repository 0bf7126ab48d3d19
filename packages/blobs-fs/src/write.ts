import type { FileHandle } from 'node:fs/promises';
import { link, lstat, rename, unlink } from 'node:fs/promises';
import { cleanUp } from './disk.ts';
import type { Disk, FsStorage } from './disk.ts';
import { FsBlobsError, codeOf } from './failure.ts';
import { ignoring, syncFolder } from './folder.ts';
import type { Place } from './folder.ts';
import { evenPieces } from './pieces.ts';

/** Error codes of file systems without hard links, such as exFAT and some network file systems. */
const withoutLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

/**
 * Writes to a temporary name and links the key once the bytes are complete and durable. Returns the number of bytes. Describes
 * errors of the disk and passes those of the source on unchanged.
 */
export async function writeBlob(
  { folder, disk }: FsStorage,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const doing = `bytes under '${key}' cannot be written`;
  signal.throwIfAborted();
  const place = folder.place(key);
  await disk.run(doing, () => folder.secure(place.folder));
  const { path, handle } = await disk.run(
    doing,
    () => folder.begin(key),
    (late) => void discard(late).catch(() => undefined),
  );
  let failure: unknown;
  try {
    let written: number;
    try {
      written = await writeAll({ handle, disk }, bytes, signal, doing);
      await disk.run(doing, () => handle.sync());
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // Closing waits for the file system to respond.
      await cleanUp(disk, { doing, after: failure }, () => handle.close());
    }
    signal.throwIfAborted();
    const unpublish = (): void => void unlink(place.file).catch(() => undefined);
    await disk.run(doing, () => publish(path, place, key), unpublish);
    return written;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // The name of the key stays; after a rename the temporary one no longer exists.
    await cleanUp(disk, { doing, after: failure }, () => unlink(path).catch(ignoring('ENOENT')));
  }
}

async function discard({ path, handle }: { readonly path: string; readonly handle: FileHandle }): Promise<void> {
  await handle.close();
  await unlink(path);
}

/**
 * Reads the next piece while the previous one is written. A disk error closes the source immediately, even one that is waiting.
 */
async function writeAll(
  { handle, disk }: { readonly handle: FileHandle; readonly disk: Disk },
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  doing: string,
): Promise<number> {
  const failing = new AbortController();
  let writing: Promise<void> = Promise.resolve();
  let position = 0;
  try {
    for await (const piece of evenPieces(bytes, AbortSignal.any([signal, failing.signal]))) {
      await writing;
      const from = position;
      writing = disk.run(doing, () => writePiece(handle, piece, from));
      writing.catch((error: unknown) => failing.abort(error));
      position += piece.length;
    }
  } finally {
    // An error of the source takes precedence.
    await writing.catch(() => undefined);
  }
  await writing;
  return position;
}

/** Once this resolves, the bytes survive a crash; if it fails, nothing is stored. */
async function publish(path: string, place: Place, key: string): Promise<void> {
  await giveName(path, place.file, key);
  try {
    await syncFolder(place.folder);
  } catch (error) {
    await unlink(place.file);
    throw error;
  }
}

/** Writes all bytes: a single write may be short. */
async function writePiece(handle: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < piece.length;) {
    const { bytesWritten } = await handle.write(piece, at, piece.length - at, position + at);
    at += bytesWritten;
  }
}

/** Links instead of renaming: a link never replaces an existing file, so that the second of two writers fails. */
async function giveName(path: string, file: string, key: string): Promise<void> {
  try {
    await link(path, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(key);
    if (!withoutLinks.includes(codeOf(error) ?? '')) throw error;
    // Checks first; random keys do not collide in the remaining window.
    const there = await lstat(file).then(
      () => true,
      (missing: unknown) => ignoring('ENOENT')(missing),
    );
    if (there === true) throw taken(key);
    await rename(path, file);
  }
}

function taken(key: string): FsBlobsError {
  return new FsBlobsError(`the key '${key}' already exists`, { code: 'EEXIST' });
}
