import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { terminateGroup, signalGroup } from './process-group.ts';
import { lines } from './output-lines.ts';

export interface RunInit {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly input: string;
  /** Ends it, with all that it started. */
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
}

export interface RunResult {
  /** Why it could not be started. */
  readonly error: Error | undefined;
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of its stderr. */
  readonly stderr: string;
}

const maxStderr = 16_384;

/**
 * Runs a program to its end, without a shell and in a process group of its own. When it resolves, nothing of the group runs any more:
 * what the program leaves behind is killed.
 */
export async function run({ command, args, env, folder, input, signal, onLine }: RunInit): Promise<RunResult> {
  const child = spawn(command, args, { cwd: folder, env, detached: true, shell: false, stdio: 'pipe' });
  const { pid } = child;
  let error: Error | undefined;
  child.on('error', (failure) => (error ??= failure));
  const closed = once(child, 'close').catch(() => undefined);
  if (pid === undefined) {
    await closed;
    return { error, exitCode: null, signal: null, stderr: '' };
  }
  const exited = new Promise<void>((resolve) => void child.once('exit', () => resolve()));

  // A program that does not read its job closes the pipe.
  child.stdin.on('error', () => undefined).end(input);
  const reading = lines(onLine);
  child.stdout.setEncoding('utf8').on('data', (text: string) => reading.add(text));
  let tail = Buffer.alloc(0);
  child.stderr.on('data', (piece: Buffer) => {
    tail = Buffer.concat([tail, piece]);
    if (tail.byteLength > maxStderr) tail = Buffer.from(tail.subarray(-maxStderr));
  });

  let ending: Promise<void> | undefined;
  const end = (): void => void (ending ??= terminateGroup(pid));
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  await exited;
  signal.removeEventListener('abort', end);
  await ending;
  signalGroup(pid, 'SIGKILL');
  // A process that left the group may keep the pipes open: its output is not awaited.
  await Promise.race([closed, sleep(1000, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  reading.end();
  return { error, exitCode: child.exitCode, signal: child.signalCode, stderr: tail.toString('utf8') };
}
