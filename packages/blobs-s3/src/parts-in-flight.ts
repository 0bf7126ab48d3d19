import type { Multipart } from './multipart.ts';
import type { Part, PartMemory } from './parts.ts';
import type { Semaphore } from '@modelwire/ports';

/** The parts of one write that are on their way. One that fails aborts the write, which then fails with its error. */
export interface PartsInFlight {
  /** Resolves when the part is on its way. */
  send(multipart: Multipart, part: Part, signal: AbortSignal): Promise<void>;
  /** Resolves when all have arrived. @throws what the first of them failed with. */
  all(): Promise<void>;
  /** Resolves when none is on its way any more. */
  settled(): Promise<void>;
}

export function partsInFlight(memory: PartMemory, semaphore: Semaphore, failing: AbortController): PartsInFlight {
  const sending = new Set<Promise<void>>();
  let number = 0;

  async function sendOne(multipart: Multipart, at: number, part: Part, signal: AbortSignal, done: () => void) {
    try {
      await multipart.send(at, part.bytes, signal);
      // Not when it failed: the connection may still hold it.
      memory.giveBack(part.memory);
    } catch (error) {
      failing.abort(error);
    } finally {
      done();
    }
  }

  const settled = async () => {
    await Promise.all(sending);
  };

  return {
    async send(multipart, part, signal) {
      const done = await semaphore.acquire(signal);
      const sent = sendOne(multipart, ++number, part, signal, done);
      sending.add(sent);
      void sent.then(() => sending.delete(sent));
    },
    async all() {
      await settled();
      failing.signal.throwIfAborted();
    },
    settled,
  };
}
