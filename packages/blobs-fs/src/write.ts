import type { FileHandle } from 'node:fs/promises';
import { link, lstat, rename, unlink } from 'node:fs/promises';
import { cleanUp } from './disk.ts';
import type { Disk, FsStorage } from './disk.ts';
import { FsBlobsError, errorCode } from './failure.ts';
import { ignoreErrors, syncFolder } from './folder.ts';
import type { BlobPath } from './folder.ts';
import { splitIntoPieces } from './pieces.ts';

/** Error codes of file systems without hard links, such as exFAT and some network file systems. */
const noHardLinkCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

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
  const failureMessage = `bytes under '${key}' cannot be written`;
  signal.throwIfAborted();
  const blobPath = folder.resolvePath(key);
  await disk.run(failureMessage, () => folder.ensureFolder(blobPath.folder));
  const { path: temporaryPath, handle } = await disk.run(
    failureMessage,
    () => folder.createTemporaryFile(key),
    (lateFile) => void discardFile(lateFile).catch(() => undefined),
  );
  let failure: unknown;
  try {
    let written: number;
    try {
      written = await writeAll({ handle, disk }, bytes, signal, failureMessage);
      await disk.run(failureMessage, () => handle.sync());
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      // Closing waits for the file system to respond.
      await cleanUp(disk, { failureMessage, earlierError: failure }, () => handle.close());
    }
    signal.throwIfAborted();
    const unpublish = (): void => void unlink(blobPath.file).catch(() => undefined);
    await disk.run(failureMessage, () => publish(temporaryPath, blobPath, key), unpublish);
    return written;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // The name of the key stays; after a rename the temporary one no longer exists.
    await cleanUp(disk, { failureMessage, earlierError: failure }, () =>
      unlink(temporaryPath).catch(ignoreErrors('ENOENT')),
    );
  }
}

async function discardFile({ path, handle }: { readonly path: string; readonly handle: FileHandle }): Promise<void> {
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
  failureMessage: string,
): Promise<number> {
  const writeFailure = new AbortController();
  let pendingWrite: Promise<void> = Promise.resolve();
  let position = 0;
  try {
    for await (const piece of splitIntoPieces(bytes, AbortSignal.any([signal, writeFailure.signal]))) {
      await pendingWrite;
      const from = position;
      pendingWrite = disk.run(failureMessage, () => writePiece(handle, piece, from));
      pendingWrite.catch((error: unknown) => writeFailure.abort(error));
      position += piece.length;
    }
  } finally {
    // An error of the source takes precedence.
    await pendingWrite.catch(() => undefined);
  }
  await pendingWrite;
  return position;
}

/** Once this resolves, the bytes survive a crash; if it fails, nothing is stored. */
async function publish(temporaryPath: string, blobPath: BlobPath, key: string): Promise<void> {
  await linkFile(temporaryPath, blobPath.file, key);
  try {
    await syncFolder(blobPath.folder);
  } catch (error) {
    await unlink(blobPath.file);
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
async function linkFile(temporaryPath: string, file: string, key: string): Promise<void> {
  try {
    await link(temporaryPath, file);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw createExistsError(key);
    if (!noHardLinkCodes.includes(errorCode(error) ?? '')) throw error;
    // Checks first; random keys do not collide in the remaining window.
    const exists = await lstat(file).then(
      () => true,
      (lstatError: unknown) => ignoreErrors('ENOENT')(lstatError),
    );
    if (exists === true) throw createExistsError(key);
    await rename(temporaryPath, file);
  }
}

function createExistsError(key: string): FsBlobsError {
  return new FsBlobsError(`the key '${key}' already exists`, { code: 'EEXIST' });
}
