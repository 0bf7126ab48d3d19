import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** Runs a program with `prlimit`, which limits the data size of each process. Undefined if `prlimit` is not installed. */
export function withMemoryLimit({ command, args }: Program, memoryBytes: number): Program | undefined {
  const prlimit = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'prlimit'))
    .find(isProgram);
  if (prlimit === undefined) return undefined;
  // Data, not address space: runtimes reserve far more of that than they use.
  return { command: prlimit, args: [`--data=${memoryBytes}`, '--', command, ...args] };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
