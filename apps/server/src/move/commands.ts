import { folderArgument } from '../backup/folder-argument.ts';
import type { Settings } from '../settings.ts';
import { exportTo } from './export.ts';
import { importFrom } from './import.ts';
import type { ImportReport } from './import.ts';

export const moveHelp = `modelwire-server export <folder>
  Exports all records and file contents, from SQLite or PostgreSQL and from a folder or a bucket. To move a server, stop it first.
  Repeat the command after an interruption: it resumes.

modelwire-server import <folder>
  Imports an export into the configured storage, which must be empty. Repeat the command after an interruption: it resumes.
  Compares all records and contents with the export, and exits with code 1 if there is a difference.
`;

export interface CommandResult {
  readonly output: string;
  readonly exitCode: 0 | 1;
}

/** Runs `export <folder>` or `import <folder>`. @throws ConfigError for invalid arguments, with the usage. */
export async function moveCommand(
  command: 'export' | 'import',
  args: readonly string[],
  { settings, cwd }: { readonly settings: Settings; readonly cwd: string },
): Promise<CommandResult> {
  const path = folderArgument(args, cwd, moveHelp);
  if (command === 'import') return describeImport(await importFrom(settings, path), path);
  const { tables, blobs } = await exportTo(settings, path);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return {
    output: `Exported ${rows} records of ${tables.length} tables and ${blobs.count} contents (${blobs.bytes} bytes) to ${path}.\n`,
    exitCode: 0,
  };
}

function describeImport({ manifest, wasComplete, parts }: ImportReport, path: string): CommandResult {
  if (wasComplete)
    return {
      output: `The export ${manifest.id} in ${path} has already been imported. Nothing was changed.\n`,
      exitCode: 0,
    };
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
