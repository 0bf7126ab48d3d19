import type { CommandResult, FolderCommand } from '../commands/folder-command.ts';
import type { Settings } from '../config/settings.ts';
import { secretsNote, secretsOf } from '../backup/secrets.ts';
import { exportTo, isCompleteExport } from './export.ts';
import { importFrom } from './import.ts';

export const moveHelp = `modelwire-server export <folder>
  Exports all records and file contents, from SQLite or PostgreSQL and from a folder or a bucket. To move a server, stop it first.
  Repeat the command after an interruption: it resumes.

modelwire-server import <folder>
  Imports an export into the configured storage, which must be empty. Repeat the command after an interruption: it resumes.
  Compares all records and contents with the export, and exits with code 1 if there is a difference.

Options:
  --config <file>  configuration file of the server (default ./modelwire.config.*)
`;

/** The commands by their names on the command line. */
export const moveCommands: Readonly<Record<'export' | 'import', FolderCommand>> = {
  export: exportCommand,
  import: importCommand,
};

async function exportCommand(settings: Settings, folder: string): Promise<CommandResult> {
  if (isCompleteExport(folder))
    return {
      output: `The export in ${folder} is already complete. Nothing was changed. To export what was written since then, specify a new folder.\n`,
    };
  const { tables, blobs, key } = await exportTo(settings, folder);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const webhooks = tables.find(({ name }) => name === 'webhooks')?.rows ?? 0;
  return {
    output: `Exported ${rows} records of ${tables.length} tables and ${blobs.count} contents (${blobs.bytes} bytes) to ${folder}.\n${secretsNote(secretsOf({ hasKey: key !== null, webhooks }))}`,
  };
}

async function importCommand(settings: Settings, folder: string): Promise<CommandResult> {
  const { manifest, wasComplete, parts } = await importFrom(settings, folder);
  if (wasComplete)
    return { output: `The export ${manifest.id} in ${folder} has already been imported. Nothing was changed.\n` };
  const width = Math.max(...parts.map(({ name }) => name.length));
  const lines = parts.map(
    ({ name, expected, found, isEqual }) =>
      `${name.padEnd(width)}  ${String(expected).padStart(9)}  ${String(found).padStart(9)}  ${isEqual ? 'equal' : 'DIFFERENT'}\n`,
  );
  const head = `${'part'.padEnd(width)}  ${'exported'.padStart(9)}  ${'imported'.padStart(9)}  checksums\n`;
  const different = parts.filter(({ isEqual }) => !isEqual).map(({ name }) => name);
  const summary =
    different.length === 0
      ? 'Imported everything.\n'
      : `These parts differ: ${different.join(', ')}. Servers refuse to start on this database. Empty it, and import again.\n`;
  return { output: head + lines.join('') + summary, exitCode: different.length === 0 ? 0 : 1 };
}
