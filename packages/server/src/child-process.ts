import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** An external program. */
export interface Command {
  /** The program: a path, or a name that is looked up in `PATH`. */
  readonly command: string;
  /** Its arguments, unchanged. They never contain anything of a request. */
  readonly args?: readonly string[];
  /** Environment variables beside `PATH`, `HOME` and `LANG` of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

type CommandProcess = ChildProcessByStdio<Writable, Readable, null>;

/** Starts a program without a shell, in its own process group, with pipes for its input and output. */
export function spawnCommand({ command, args = [], env = {} }: Command): CommandProcess {
  const { PATH, HOME, LANG } = process.env;
  return spawn(command, args, {
    env: { ...(PATH && { PATH }), ...(HOME && { HOME }), ...(LANG && { LANG }), ...env },
    detached: true,
    shell: false,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
}

/** Ends the program and its child processes. */
export function killGroup({ pid }: Pick<CommandProcess, 'pid'>): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes have already exited.
  }
}
