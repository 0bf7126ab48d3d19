import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { backupCommands } from '../backup/commands.ts';
import { runFolderCommand } from './folder-command.ts';
import { moveCommands } from '../move/commands.ts';
import { exportTo } from '../move/export.ts';
import { fillEveryTable } from '../testing/every-table.ts';
import { canMount, mountOver, smallDisk } from '../testing/small-disk.ts';
import { onDisk, settingsOf } from '../testing/storages.ts';

const commands = { ...backupCommands, ...moveCommands };

/** Returns the message of a command that fails as expected. */
async function failureOf(name: keyof typeof commands, data: string, folder: string): Promise<string> {
  const settings = await settingsOf(onDisk(data));
  const error: unknown = await runFolderCommand(name, commands[name], settings, folder).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'ConfigError', message: expect.not.stringContaining('\n') as string });
  return (error as Error).message;
}

const diskFull = /^\w+: .*full.* Free space, then repeat the command\.$/;

test.runIf(canMount)('commands name a full disk', async () => {
  const [source, disk, other] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  await fillEveryTable(source);
  const settings = await settingsOf(onDisk(source));
  await exportTo(settings, join(other, 'export'));
  await backUp(settings, join(other, 'backup'));
  const { fill } = smallDisk(disk, 4);
  fill();
  for (const name of ['backup', 'export'] as const)
    expect(await failureOf(name, source, join(disk, name))).toMatch(diskFull);
  expect(await failureOf('import', join(disk, 'imported'), join(other, 'export'))).toMatch(diskFull);
  expect(await failureOf('restore', join(disk, 'restored'), join(other, 'backup'))).toMatch(diskFull);
});

test.runIf(canMount)('commands name the contents for which the disk is full', async () => {
  const [source, backups, exports] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  await fillEveryTable(source);
  const elsewhere = join(temporaryFolder(), 'backup');
  await backUp(await settingsOf(onDisk(source)), elsewhere);
  smallDisk(backups, 4).fill(statSync(join(elsewhere, 'modelwire.sqlite')).size + 150_000);
  smallDisk(exports, 4).fill(250_000);
  expect(await failureOf('backup', source, join(backups, 'a'))).toMatch(/^backup: data: bytes under 'blob_\w+' .*full/);
  expect(await failureOf('export', source, join(exports, 'a'))).toMatch(/^export: data: bytes under 'blob_\w+' .*full/);
});

test.runIf(canMount)('commands name a read-only file system', async () => {
  const [source, disk] = [temporaryFolder(), temporaryFolder()];
  await fillEveryTable(source);
  const exported = join(temporaryFolder(), 'export');
  await exportTo(await settingsOf(onDisk(source)), exported);
  mkdirSync(join(disk, 'x'));
  mountOver(['-t', 'tmpfs', '-o', 'ro'], 'none', disk);
  expect(await failureOf('backup', source, join(disk, 'a', 'b'))).toMatch(
    /^backup: cannot use .* the file system is read-only \(EROFS\)/,
  );
  expect(await failureOf('export', source, join(disk, 'a', 'b'))).toMatch(
    /^export: cannot use .* the file system is read-only \(EROFS\)/,
  );
  expect(await failureOf('import', join(disk, 'a', 'b'), exported)).toMatch(
    /^import: .*the file system is read-only \(EROFS\)/,
  );
});
