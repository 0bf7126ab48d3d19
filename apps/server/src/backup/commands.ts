import type { Settings } from '../settings.ts';
import { backUp } from './backup.ts';
import { folderArgument } from './folder-argument.ts';
import type { Manifest } from './manifest.ts';
import { restore } from './restore.ts';

export const backupHelp = `modelwire-server backup <folder>
  Backs up the SQLite database and all file contents to a new folder. The server may be running.

modelwire-server restore <folder>
  Restores a backup into the data folder (MODELWIRE_DATA, default .modelwire), which must have no database.
`;

/** Runs `backup <folder>` or `restore <folder>` and returns the output. @throws ConfigError for invalid arguments, with the usage. */
export async function backupCommand(
  command: 'backup' | 'restore',
  args: readonly string[],
  { settings, cwd }: { readonly settings: Settings; readonly cwd: string },
): Promise<string> {
  const path = folderArgument(args, cwd, backupHelp);
  if (command === 'backup') return `Backed up ${contents(await backUp(settings, path))} to ${path}.\n`;
  return `Restored ${contents(await restore(settings, path))} to ${settings.data}.\n`;
}

function contents({ blobs }: Manifest): string {
  const bytes = blobs.reduce((sum, blob) => sum + blob.bytes, 0);
  return `the database and the contents of files (${blobs.length} parts, ${bytes} bytes)`;
}
