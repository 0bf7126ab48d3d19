import { RequestError } from '@modelwire/ports';
import { createWorkerThread } from '@modelwire/adapter-kit/worker-thread';
import type { WorkerThread } from '@modelwire/adapter-kit/worker-thread';
import type { Done, Order } from './protocol.ts';

/** The reply to an order that succeeded. */
export type Outcome = Extract<Done, { readonly type: 'done' }>;

/** Starts the thread that synthesizes speech. A sentence takes at most `timeoutMs`; then it fails with a 504. */
export function createSpeechWorker({
  queueLength,
  timeoutMs,
}: {
  readonly queueLength: number;
  readonly timeoutMs: number;
}): WorkerThread<Order, Outcome> {
  // TypeScript when run from source, JavaScript when published.
  const file = import.meta.url.endsWith('.ts') ? './speech-thread.ts' : './speech-thread.js';
  return createWorkerThread<Order, Done, Outcome>({
    program: new URL(file, import.meta.url),
    toResult(reply) {
      if (reply.type === 'failed') throw reply.error;
      return reply;
    },
    maxQueueLength: queueLength,
    tasksPerSecond: 8,
    timeoutMs,
    timeoutError: () =>
      new RequestError(`A sentence was not spoken within ${timeoutMs} ms. Try again.`, {
        status: 504,
        code: 'speech_timeout',
      }),
  });
}
