import { AbortError, TimeoutError } from '@modelwire/core';
import type { WaitOptions } from '@modelwire/core';
import type { Context, Flags } from './command.ts';

export const waitFlags = {
  'max-wait': {
    type: 'number',
    value: 'seconds',
    min: 0,
    description: 'Stop waiting after this time; the work continues',
  },
  poll: {
    type: 'number',
    value: 'seconds',
    min: 0.01,
    description: 'Initial polling interval, in seconds (default: 1)',
  },
} as const satisfies Flags;

/** Waits for the end of work on the server. When the wait ends early, prints the command that continues it. */
export async function waitFor<Resource>(
  { flags, print, signal }: Context<typeof waitFlags>,
  command: string,
  wait: (options: WaitOptions<Resource>) => Promise<Resource>,
  showProgress: (resource: Resource) => void,
): Promise<Resource> {
  const { 'max-wait': maxSeconds, poll } = flags;
  try {
    return await wait({
      signal,
      ...(maxSeconds !== undefined && { timeoutMs: Math.max(1, maxSeconds * 1000) }),
      ...(poll !== undefined && { pollMs: poll * 1000 }),
      onUpdate: showProgress,
    });
  } catch (error) {
    const isWaitEnded = error instanceof AbortError || error instanceof TimeoutError;
    if (isWaitEnded) print.note(`The work continues on the server. To wait again: modelwire ${command}`);
    throw error;
  } finally {
    print.progress.clear();
  }
}
