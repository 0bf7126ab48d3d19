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
