import { InputError, readChunks } from '@modelwire/core';
import type { Md5 } from './checksum.ts';
import { partRange } from './plan.ts';
import type { UploadPlan } from './plan.ts';

/** A file that can be read once. Its parts are buffered in memory, one for each concurrent request. */
export interface StreamedFile {
  readonly stream: ReadableStream<Uint8Array>;
  /** The exact number of bytes of the stream. */
  readonly size: number;
}

interface Part {
  readonly index: number;
  readonly data: Blob;
}

/** Reads the missing parts in the order of the file. */
export interface PartReader {
  /** The next part, or `undefined` at the end. Can be called concurrently. */
  next(): Promise<Part | undefined>;
  /** Resolves with the checksum of the file if one is computed. Call it after the last part. */
  checksum(): Promise<string | undefined>;
}

export interface ReadOptions {
  readonly plan: UploadPlan;
  /** Whether the server already has this part. */
  readonly has: (index: number) => boolean;
  readonly md5: Md5 | undefined;
  readonly signal: AbortSignal;
}

/**
 * Parts of a blob are slices, which are read while they are sent and take no memory. The checksum reads the blob separately, since
 * it needs the bytes in order.
 */
export function readBlob(blob: Blob, { plan, has, md5, signal }: ReadOptions): PartReader {
  let index = 0;
  const checksum = md5 && digestOf(blob.stream(), md5, signal);
  // Awaited at the end: avoid an unhandled rejection until then.
  checksum?.catch(() => undefined);
  return {
    async next() {
      while (index < plan.parts && has(index)) index++;
      if (index >= plan.parts) return undefined;
      const { start, end } = partRange(plan, index);
      return { index: index++, data: blob.slice(start, end) };
    },
    checksum: async () => checksum,
  };
}

async function digestOf(stream: ReadableStream<Uint8Array>, md5: Md5, signal: AbortSignal): Promise<string> {
  for await (const chunk of readChunks(stream, signal)) md5.update(chunk);
  signal.throwIfAborted();
  return md5.digest('hex');
}

/** Reads the parts of a stream one after the other. Parts that the server already has are read for the checksum only. */
export function readStream(stream: ReadableStream<Uint8Array>, { plan, has, md5, signal }: ReadOptions): PartReader {
  const chunks = readChunks(stream, signal);
  let index = 0;
  let rest: Uint8Array = new Uint8Array();
  let previous: Promise<unknown> = Promise.resolve();
  // A stream that has not been read has no reader to cancel it.
  const cancel = (): void => {
    if (!stream.locked) void stream.cancel(signal.reason).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel);

  return {
    next() {
      const part = previous.then(readPart);
      previous = part.catch(() => undefined);
      return part;
    },
    checksum: async () => md5?.digest('hex'),
  };

  async function readPart(): Promise<Part | undefined> {
    if (plan.parts === 0) await expectEnd();
    while (index < plan.parts) {
      const current = index++;
      const data = await readBytes(current);
      if (index === plan.parts) await expectEnd();
      if (data !== undefined) return { index: current, data };
    }
    return undefined;
  }

  async function readBytes(part: number): Promise<Blob | undefined> {
    const { start, end } = partRange(plan, part);
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for (let missing = end - start; missing > 0;) {
      if (rest.length === 0) rest = await nextChunk();
      const piece = rest.subarray(0, missing);
      md5?.update(piece);
      if (!has(part)) pieces.push(viewOf(piece));
      missing -= piece.length;
      rest = rest.subarray(piece.length);
    }
    return has(part) ? undefined : new Blob(pieces);
  }

  async function expectEnd(): Promise<void> {
    if (await isAtEnd()) return;
    throw new InputError(`The stream has more than the declared ${plan.bytes} bytes.`, { param: 'file' });
  }

  async function isAtEnd(): Promise<boolean> {
    while (rest.length === 0) {
      const { done, value } = await chunks.next();
      if (done === true) return true;
      rest = value;
    }
    return false;
  }

  async function nextChunk(): Promise<Uint8Array> {
    const { done, value } = await chunks.next();
    if (done === true) {
      throw new InputError(`The stream has fewer than the declared ${plan.bytes} bytes.`, { param: 'file' });
    }
    return value;
  }
}

/** The same bytes in a type that `Blob` accepts; copied only if they are in shared memory. */
function viewOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(bytes);
}
