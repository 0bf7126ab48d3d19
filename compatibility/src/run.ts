import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface RunOptions {
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program with its output shown. Returns whether its exit code was 0. @throws an error if it cannot be started. */
export async function run(program: string, args: readonly string[], { cwd, env }: RunOptions = {}): Promise<boolean> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
  await once(child, 'close');
  return child.exitCode === 0;
}

/** Runs a program and returns its exit code and what it wrote; null if it was stopped because it took too long. */
export async function outputOf(
  program: string,
  args: readonly string[],
  { cwd, env, timeoutMs }: RunOptions & { readonly timeoutMs: number },
): Promise<{ readonly code: number | null; readonly output: string }> {
  const signal = AbortSignal.timeout(timeoutMs);
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  const pieces: Buffer[] = [];
  const collect = (piece: Buffer): unknown => pieces.push(piece);
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  // A program that is stopped reports an error in addition to its end.
  child.on('error', (error) => pieces.push(Buffer.from(`${error.message}\n`)));
  // `once` of node:events would reject at the error.
  await new Promise((resolve) => child.once('close', resolve));
  return { code: child.exitCode, output: Buffer.concat(pieces).toString() };
}
