import { RequestError } from '@modelwire/ports';
import { createWorkerThread } from '@modelwire/adapter-kit/worker-thread';
import type { WorkerThread } from '@modelwire/adapter-kit/worker-thread';
import type { Look, Seen } from './protocol.ts';

export interface ImageThreadInit {
  readonly maxWaiting: number;
  readonly timeoutMs: number;
  /** Default: the thread script of this package. */
  readonly program?: URL;
}

// TypeScript when run from source, JavaScript when published.
const defaultProgram = new URL(
  import.meta.url.endsWith('.ts') ? './look-thread.ts' : './look-thread.js',
  import.meta.url,
);

/** Starts the thread that examines images. An image takes at most `timeoutMs`; then it fails with a 504. */
export function createImageThread({ maxWaiting, timeoutMs, program }: ImageThreadInit): WorkerThread<Look, Seen> {
  return createWorkerThread<Look, Seen, Seen>({
    program: program ?? defaultProgram,
    toResult: (seen) => seen,
    maxQueueLength: maxWaiting,
    tasksPerSecond: 4,
    timeoutMs,
    timeoutError: () =>
      new RequestError(`The image could not be moderated within ${timeoutMs} ms. Send a smaller image or try again.`, {
        status: 504,
        code: 'moderation_timeout',
      }),
  });
}
