import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { BlobMissingError } from '@modelwire/ports';
import type { BlobReadOptions, ByteRange } from '@modelwire/ports';
import { cleanUp } from './disk.ts';
import type { Disk } from './disk.ts';
import { FsBlobsError, errorCode } from './failure.ts';
import { requireFolder } from './folder.ts';
import type { BlobPath } from './folder.ts';
import { pieceBytes } from './pieces.ts';

// Does not follow symbolic links, and does not block on files that wait for a writer, such as pipes. Windows has neither flag:
// they are undefined there and count as 0.
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens the file at the first read, and closes it after the last or when the reader stops. */
export async function* readBlob(
  disk: Disk,
  path: BlobPath,
  { key, range, reusesMemory }: { readonly key: string; readonly range: ByteRange | undefined } & BlobReadOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const failureMessage = `bytes under '${key}' cannot be read`;
  const closeLate = (lateHandle: FileHandle): void => void lateHandle.close().catch(() => undefined);
  const handle = await disk.run(failureMessage, () => openFile(path, key), closeLate);
  let pendingRead: Promise<Uint8Array> | undefined;
  let failure: unknown;
  try {
    const stats = await disk.run(failureMessage, () => handle.stat());
    if (!stats.isFile()) throw new FsBlobsError(`the key '${key}' is not a regular file`, { code: 'EINVAL' });
    const { start, end } = range ?? { start: 0, end: stats.size };
    if (end > stats.size) throw new RangeError(`bytes ${start} to ${end} of ${stats.size}`);
    const memory = reusesMemory === true ? alternatingBuffers() : (bytes: number) => Buffer.allocUnsafeSlow(bytes);
    // Reads one piece ahead.
    const next = (from: number) => {
      const to = Math.min(end, from + pieceBytes);
      pendingRead = from < to ? disk.run(failureMessage, () => readPiece(handle, memory(to - from), from)) : undefined;
      // Awaited below, in the next iteration or at the end.
      pendingRead?.catch(() => undefined);
    };
    next(start);
    for (let at = start; pendingRead;) {
      const piece: Uint8Array = await pendingRead;
      at += piece.length;
      next(at);
      yield piece;
    }
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await pendingRead?.catch((error: unknown) => (failure ??= error));
    // Closing waits for the file system to respond.
    await cleanUp(disk, { failureMessage, earlierError: failure }, () => handle.close());
  }
}

async function openFile(path: BlobPath, key: string): Promise<FileHandle> {
  try {
    await requireFolder(path.folder);
    return await open(path.file, flags);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') throw new BlobMissingError(key);
    throw error;
  }
}

/** Two buffers in turn: one contains the piece that the reader has, the other is read ahead. */
function alternatingBuffers(): (bytes: number) => Buffer {
  const buffers: Buffer[] = [];
  return (bytes) => {
    const buffer = buffers.length < 2 ? Buffer.allocUnsafeSlow(pieceBytes) : buffers.shift();
    if (!buffer) throw new Error('there is no buffer');
    buffers.push(buffer);
    return buffer.subarray(0, bytes);
  };
}

async function readPiece(handle: FileHandle, piece: Buffer, start: number): Promise<Uint8Array> {
  for (let at = 0; at < piece.length;) {
    const { bytesRead } = await handle.read(piece, at, piece.length - at, start + at);
    if (bytesRead === 0) throw new FsBlobsError('the file was truncated', { code: 'EIO' });
    at += bytesRead;
  }
  return piece;
}
