import type { Multipart } from './multipart.ts';
import type { Part, BufferPool } from './parts.ts';
import type { Semaphore } from '@modelwire/adapter-kit';

/** The part uploads of one write. One that fails aborts the write. */
export interface PartsInFlight {
  /** Resolves when the upload of the part has started. */
  send(multipart: Multipart, part: Part, signal: AbortSignal): Promise<void>;
  /** Resolves when all parts are uploaded. @throws the first error. */
  all(): Promise<void>;
  /** Resolves when no upload is running. */
  settled(): Promise<void>;
}

export function createPartsInFlight(
  buffers: BufferPool,
  semaphore: Semaphore,
  failure: AbortController,
): PartsInFlight {
  const sending = new Set<Promise<void>>();
  let number = 0;

  async function sendOne(multipart: Multipart, at: number, part: Part, signal: AbortSignal, release: () => void) {
    try {
      await multipart.send(at, part.bytes, signal);
      // Not after a failure: the connection may still use the buffer.
      buffers.release(part.buffer);
    } catch (error) {
      failure.abort(error);
    } finally {
      release();
    }
  }

  const settled = async () => {
    await Promise.all(sending);
  };

  return {
    async send(multipart, part, signal) {
      const release = await semaphore.acquire(signal);
      const sent = sendOne(multipart, ++number, part, signal, release);
      sending.add(sent);
      void sent.then(() => sending.delete(sent));
    },
    async all() {
      await settled();
      failure.signal.throwIfAborted();
    },
    settled,
  };
}
