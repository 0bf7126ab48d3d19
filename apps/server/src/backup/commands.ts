import type { CommandResult, FolderCommand } from '../commands/folder-command.ts';
import type { Settings } from '../config/settings.ts';
import { backUp } from './backup.ts';
import { isWithin } from './is-within.ts';
import type { Manifest } from './manifest.ts';
import { secretsNote } from './secrets.ts';
import { restore } from './restore.ts';

export const backupHelp = `modelwire-server backup <folder>
  Backs up the SQLite database and all file contents to a new folder. The server may be running.

modelwire-server restore <folder>
  Restores a backup into the data folder (MODELWIRE_DATA, default .modelwire), which must have no database.

Options:
  --config <file>  configuration file of the server (default ./modelwire.config.*)
`;

/** The commands by their names on the command line. */
export const backupCommands: Readonly<Record<'backup' | 'restore', FolderCommand>> = {
  backup: backupCommand,
  restore: restoreCommand,
};

async function backupCommand(settings: Settings, folder: string): Promise<CommandResult> {
  const manifest = await backUp(settings, folder);
  const output = `Backed up ${contents(manifest)} to ${folder}.\n${secretsNote(manifest.secrets)}`;
  const note = 'The backup is in the data folder, and is lost with it. Copy it to another machine.\n';
  return { output: isWithin(folder, settings.data) ? output + note : output };
}

async function restoreCommand(settings: Settings, folder: string): Promise<CommandResult> {
  return { output: `Restored ${contents(await restore(settings, folder))} to ${settings.data}.\n` };
}

function contents({ blobs }: Manifest): string {
  const bytes = blobs.reduce((sum, blob) => sum + blob.bytes, 0);
  return `the database and the contents of files (${blobs.length} parts, ${bytes} bytes)`;
}
