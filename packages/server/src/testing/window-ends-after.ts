import { systemClock } from '../clock.ts';
import { randomId } from '../ids.ts';
import type { ServerOptions } from '../options/options.ts';

/** Options of a server whose clock jumps forward while it creates a batch, so that a window of a day ends after so many seconds. */
export function windowEndsAfter(seconds: number): Pick<ServerOptions, 'clock' | 'createId'> {
  let jumpMs = 0;
  return {
    clock: { ...systemClock, now: () => systemClock.now() + jumpMs },
    createId(prefix) {
      if (prefix === 'batch_') jumpMs = (86_400 - seconds) * 1000;
      return randomId(prefix);
    },
  };
}
