import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Runs a program with `prlimit`, which limits the data size of each process. @throws a TypeError if `prlimit` is not installed. */
export function withMemoryLimit(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  memoryBytes: number | undefined,
): { readonly command: string; readonly args: readonly string[] } {
  if (memoryBytes === undefined) return { command, args };
  const prlimit = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'prlimit'))
    .find(isProgram);
  if (prlimit === undefined) {
    throw new TypeError(
      "createCommandVideos: 'memoryBytes' needs the program prlimit (util-linux), which is not in PATH.",
    );
  }
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
