import { raceAbort } from './race-abort.ts';

/** Waits, or rejects as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await raceAbort(elapsed, signal).finally(() => clearTimeout(timer));
}
