import type { Terminal } from './terminal.ts';

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr } = process;
  const listeners: (() => void)[] = [];
  const notify = (): void => listeners.at(-1)?.();
  // A closed pipe is reported by the write that fails. Without a listener, it would crash the process.
  stdout.on('error', () => undefined);
  stderr.on('error', () => undefined);
  return {
    stdin,
    stdout,
    stderr,
    isTTY: { stdin: stdin.isTTY, stdout: stdout.isTTY, stderr: stderr.isTTY },
    env: process.env,
    cwd: process.cwd(),
    // A terminal without a known size reports 0.
    columns: () => (stdout.isTTY ? stdout.columns : stderr.isTTY ? stderr.columns : 80) || 80,
    rows: () => (stdout.isTTY && stdout.rows) || 24,
    onInterrupt(listener) {
      if (listeners.length === 0) process.on('SIGINT', notify);
      listeners.push(listener);
      return () => {
        const index = listeners.lastIndexOf(listener);
        if (index !== -1) listeners.splice(index, 1);
        if (listeners.length === 0) process.off('SIGINT', notify);
      };
    },
    onTerminate(listener) {
      process.once('SIGTERM', listener);
      return () => void process.off('SIGTERM', listener);
    },
    quit: (code) => process.exit(code),
  };
}
