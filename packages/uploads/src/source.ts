import { InputError, readChunks } from '@modelwire/core';
import type { Md5 } from './checksum.ts';
import { spanOfPart } from './plan.ts';
import type { Plan } from './plan.ts';

/** A file that can be read once, from its start. Its parts are gathered in memory, one for each request under way. */
export interface StreamedFile {
  readonly stream: ReadableStream<Uint8Array>;
  /** Bytes that will come, no more and no less. */
  readonly size: number;
}

export interface Part {
  readonly index: number;
  readonly data: Blob;
}

/** Hands out the parts that are missing, in the order of the file. */
export interface PartReader {
  /** The next one, or `undefined` at the end. Any number may ask at once. */
  next(): Promise<Part | undefined>;
  /** Resolves with the checksum of the whole file, where one is made; never reads what `next` has yet to give. */
  checksum(): Promise<string | undefined>;
}

export interface Reading {
  readonly plan: Plan;
  /** Whether the server has this part already. */
  readonly has: (index: number) => boolean;
  readonly md5: Md5 | undefined;
  readonly signal: AbortSignal;
}

/**
 * Parts of a blob are slices, read when they are sent: no memory. The checksum goes over the blob by itself, beside the
 * requests, since bytes must pass it in order.
 */
export function readBlob(blob: Blob, { plan, has, md5, signal }: Reading): PartReader {
  let index = 0;
  const sum = md5 && digestOf(blob.stream(), md5, signal);
  // Waited for at the end; until then its failure is nobody's.
  sum?.catch(() => undefined);
  return {
    async next() {
      while (index < plan.parts && has(index)) index++;
      if (index >= plan.parts) return undefined;
      const { start, end } = spanOfPart(plan, index);
      return { index: index++, data: blob.slice(start, end) };
    },
    checksum: async () => sum,
  };
}

async function digestOf(stream: ReadableStream<Uint8Array>, md5: Md5, signal: AbortSignal): Promise<string> {
  for await (const chunk of readChunks(stream, signal)) md5.update(chunk);
  signal.throwIfAborted();
  return md5.digest('hex');
}

/** Parts of a stream, read one after the other. What the server has already is read over, for the checksum. */
export function readStream(stream: ReadableStream<Uint8Array>, { plan, has, md5, signal }: Reading): PartReader {
  const chunks = readChunks(stream, signal);
  let index = 0;
  let rest: Uint8Array = new Uint8Array();
  let turn: Promise<unknown> = Promise.resolve();
  // A stream that was not begun has no reader to cancel it.
  const cancel = (): void => {
    if (!stream.locked) void stream.cancel(signal.reason).catch(() => undefined);
  };
  signal.addEventListener('abort', cancel);

  return {
    next() {
      const part = turn.then(readPart);
      turn = part.catch(() => undefined);
      return part;
    },
    checksum: async () => md5?.digest('hex'),
  };

  async function readPart(): Promise<Part | undefined> {
    if (plan.parts === 0) await expectEnd();
    while (index < plan.parts) {
      const at = index++;
      const data = await gather(at);
      if (index === plan.parts) await expectEnd();
      if (data !== undefined) return { index: at, data };
    }
    return undefined;
  }

  async function gather(at: number): Promise<Blob | undefined> {
    const { start, end } = spanOfPart(plan, at);
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for (let missing = end - start; missing > 0;) {
      if (rest.length === 0) rest = await nextChunk();
      const piece = rest.subarray(0, missing);
      md5?.update(piece);
      if (!has(at)) pieces.push(viewOf(piece));
      missing -= piece.length;
      rest = rest.subarray(piece.length);
    }
    return has(at) ? undefined : new Blob(pieces);
  }

  async function expectEnd(): Promise<void> {
    if (await isAtEnd()) return;
    throw new InputError(`The stream has more than the ${plan.bytes} bytes that were declared.`, { param: 'file' });
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
      throw new InputError(`The stream ended before the ${plan.bytes} bytes that were declared.`, { param: 'file' });
    }
    return value;
  }
}

/** The same bytes, of a kind that a blob takes: copied only where they are shared with other threads. */
function viewOf(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, byteLength) : new Uint8Array(bytes);
}
