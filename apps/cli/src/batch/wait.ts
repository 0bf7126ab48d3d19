import { createBatches } from '@modelwire/batches';
import type { Batch } from '@modelwire/batches';
import { AbortError, TimeoutError } from '@modelwire/core';
import type { Context, Flags } from '../command.ts';

export const waitFlags = {
  'max-wait': {
    type: 'number',
    value: 'seconds',
    min: 0,
    description: 'Maximum time to wait, in seconds; the work continues on the server',
  },
  poll: {
    type: 'number',
    value: 'seconds',
    min: 0.01,
    description: 'Initial polling interval, in seconds (default: 1)',
  },
} as const satisfies Flags;

/** Whether only the wait ended, by Ctrl-C or by its time limit, while the work continues on the server. */
export function isWaitEnded(error: unknown): boolean {
  return error instanceof AbortError || error instanceof TimeoutError;
}

/** Waits for the end of a batch with a progress bar. When the wait ends early, prints how to continue it. */
export async function waitForBatch(
  { flags, transport, print, signal }: Context<typeof waitFlags>,
  id: string,
): Promise<Batch> {
  const { 'max-wait': maxSeconds, poll } = flags;
  try {
    return await createBatches(await transport()).wait(id, {
      signal,
      ...(maxSeconds !== undefined && { timeoutMs: Math.max(1, maxSeconds * 1000) }),
      ...(poll !== undefined && { pollMs: poll * 1000 }),
      onUpdate({ status, request_counts: counts }) {
        const done = counts === undefined ? 0 : counts.completed + counts.failed;
        print.progress.update({ done, total: Math.max(1, counts?.total ?? 1), label: `${id} ${status}` });
      },
    });
  } catch (error) {
    if (isWaitEnded(error)) print.note(`The batch continues. To wait again: modelwire batches wait ${id}`);
    throw error;
  } finally {
    print.progress.clear();
  }
}
