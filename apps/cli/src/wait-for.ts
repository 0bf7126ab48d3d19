import type { Command, OptionValues } from '@commander-js/extra-typings';
import { AbortError, TimeoutError } from '@modelwire/core';
import type { WaitOptions } from '@modelwire/core';
import type { App } from './app.ts';
import { numberFrom } from './option-values.ts';

export interface WaitFlags {
  readonly maxWait?: number;
  readonly poll?: number;
}

/** Adds the options of commands that wait. */
export function withWaitOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return command
    .option('--max-wait <seconds>', 'Stop waiting after this time; the work continues', numberFrom({ min: 0 }))
    .option('--poll <seconds>', 'Initial polling interval, in seconds (default: 1)', numberFrom({ min: 0.01 }));
}

/** Waits for the end of work on the server. When the wait ends early, prints the command that continues it. */
export async function waitFor<Resource>(
  { print, signal }: App,
  { maxWait, poll }: WaitFlags,
  command: string,
  wait: (options: WaitOptions<Resource>) => Promise<Resource>,
  showProgress: (resource: Resource) => void,
): Promise<Resource> {
  try {
    return await wait({
      signal,
      timeoutMs: maxWait === undefined ? undefined : Math.max(1, maxWait * 1000),
      pollMs: poll === undefined ? undefined : poll * 1000,
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
