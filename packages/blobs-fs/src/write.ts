import type { FileHandle } from 'node:fs/promises';
import { link, lstat, rename, unlink } from 'node:fs/promises';
import { FsBlobsError, codeOf, saying } from './failure.ts';
import { ignoring, syncFolder } from './folder.ts';
import type { Folder, Place } from './folder.ts';
import { evenPieces } from './pieces.ts';

/** What a file system without hard links answers, such as exFAT and some network file systems. */
const withoutLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV'];

/**
 * Writes under a temporary name and gives the key only to what is whole and on the disk. Gives the number of bytes. Errors of the disk
 * are put in words, those of the source stay what they are, whatever they are.
 */
export async function writeBlob(
  folder: Folder,
  key: string,
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const doing = `bytes under '${key}' cannot be written`;
  signal.throwIfAborted();
  const place = folder.place(key);
  const { path, handle } = await saying(doing, async () => {
    await folder.secure(place.folder);
    return folder.begin(key);
  });
  try {
    let written: number;
    try {
      written = await writeAll(handle, bytes, signal, doing);
      await saying(doing, () => handle.sync());
    } finally {
      await saying(doing, () => handle.close());
    }
    signal.throwIfAborted();
    await saying(doing, () => publish(path, place, key));
    return written;
  } finally {
    // The name under the key stays; where a rename took this one, it has gone.
    await saying(doing, () => unlink(path).catch(ignoring('ENOENT')));
  }
}

/** Takes the next piece while the disk writes the one before. A disk that fails ends the source at once, even one that is waiting. */
async function writeAll(
  handle: FileHandle,
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
      writing = saying(doing, () => writePiece(handle, piece, from));
      writing.catch((error: unknown) => failing.abort(error));
      position += piece.length;
    }
  } finally {
    // The file is closed after this: not while the disk still writes. An error of the source goes first.
    await writing.catch(() => undefined);
  }
  await writing;
  return position;
}

/** From here on the bytes are there, also after a crash; where this fails, they are not. */
async function publish(path: string, place: Place, key: string): Promise<void> {
  await giveName(path, place.file, key);
  try {
    await syncFolder(place.folder);
  } catch (error) {
    await unlink(place.file);
    throw error;
  }
}

/** The system may take less than all of it, and says why when asked for the rest. */
async function writePiece(handle: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < piece.length;) {
    const { bytesWritten } = await handle.write(piece, at, piece.length - at, position + at);
    at += bytesWritten;
  }
}

/** A link, unlike a rename, never takes the place of what is there: of two writers one is refused. */
async function giveName(path: string, file: string, key: string): Promise<void> {
  try {
    await link(path, file);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw taken(key);
    if (!withoutLinks.includes(codeOf(error) ?? '')) throw error;
    // Looks first, and leaves a gap that random keys do not fall into.
    const there = await lstat(file).then(
      () => true,
      (missing: unknown) => ignoring('ENOENT')(missing),
    );
    if (there === true) throw taken(key);
    await rename(path, file);
  }
}

function taken(key: string): FsBlobsError {
  return new FsBlobsError(`there are bytes under the key '${key}' already`, { code: 'EEXIST' });
}
