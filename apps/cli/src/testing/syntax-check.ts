import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completionScripts } from '../completion/scripts.ts';
import type { Shell } from '../completion/scripts.ts';
import { folder } from './fake-terminal.ts';

/** Lets a shell parse its completion script without running it: the exit code, and what it printed as an error. */
export function syntaxCheck(shell: Shell): [status: number | null, stderr: string] {
  const file = join(folder(), shell);
  writeFileSync(file, completionScripts[shell]);
  const { error, status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
  if (error) throw error;
  return [status, stderr];
}
