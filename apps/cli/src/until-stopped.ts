import type { Terminal } from './terminal.ts';

/** Resolves on Ctrl-C or SIGTERM. */
export function untilStopped(terminal: Terminal, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
    terminal.onTerminate(resolve);
  });
}
