import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bucketKeys } from '@modelwire/blobs-s3/testing';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test } from 'vitest';
import { runFolderCommand } from '../commands/folder-command.ts';
import { start } from '../start/start.ts';
import { fillEveryTable } from '../testing/every-table.ts';
import { onDisk, settingsOf, useStorages } from '../testing/storages.ts';
import { moveCommands } from './commands.ts';
import type { ExportManifest } from './export-manifest.ts';
import { exportTo } from './export.ts';
import { importFrom } from './import.ts';

const storages = useStorages();

/** All records and the list of contents of an export, as text. */
function textsOf(folder: string): Record<string, string> {
  const files = [...readdirSync(join(folder, 'records')).map((name) => join('records', name)), 'blobs.jsonl'];
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

const rowsOf = ({ tables }: ExportManifest) => Object.fromEntries(tables.map(({ name, rows }) => [name, rows]));

test('every table and all contents are the same in PostgreSQL and S3, and back in SQLite and a folder', async () => {
  const [data, folder] = [temporaryFolder(), temporaryFolder()];
  await fillEveryTable(data);
  const first = await exportTo(await settingsOf(onDisk(data)), join(folder, 'first'));
  const db = new DatabaseSync(join(data, 'modelwire.sqlite'));
  const names = db.prepare("select name from sqlite_schema where type = 'table' and name not like 'modelwire%'").all();
  db.close();
  expect(rowsOf(first)).toEqual(Object.fromEntries(names.map(({ name }) => [name, 3])));
  expect(first.blobs).toMatchObject({ count: 3, bytes: 300_006 });

  const settings = await settingsOf(await storages.replicated());
  const report = await importFrom(settings, join(folder, 'first'));
  expect(report.parts.filter(({ isEqual }) => !isEqual)).toEqual([]);
  expect(await bucketKeys({ ...storages.bucket(), prefix: settings.s3?.prefix })).toHaveLength(3);
  const second = await exportTo(settings, join(folder, 'second'));
  expect(second.tables).toEqual(first.tables);

  const back = join(temporaryFolder(), 'data');
  await importFrom(await settingsOf(onDisk(back)), join(folder, 'second'));
  await exportTo(await settingsOf(onDisk(back)), join(folder, 'third'));
  expect(textsOf(join(folder, 'third'))).toEqual(textsOf(join(folder, 'first')));
});

test('a second import of the same export changes nothing', async () => {
  const [data, folder] = [temporaryFolder(), join(temporaryFolder(), 'export')];
  await fillEveryTable(data);
  await exportTo(await settingsOf(onDisk(data)), folder);
  const settings = await settingsOf(onDisk());
  await importFrom(settings, folder);
  expect(await importFrom(settings, folder)).toMatchObject({ wasComplete: true });
  await (await start({ ...settings, port: 0 })).stop();
});

test.each(['SQLite', 'PostgreSQL'])('%s with records is refused, and stays unchanged', async (database) => {
  const [data, folder] = [temporaryFolder(), join(temporaryFolder(), 'export')];
  await fillEveryTable(data);
  await exportTo(await settingsOf(onDisk(data)), folder);
  const settings = database === 'SQLite' ? await settingsOf(onDisk()) : await settingsOf(await storages.replicated());
  await (await start({ ...settings, apiKeys: ['a-key-of-the-test'], port: 0 })).stop();
  await expect(importFrom(settings, folder)).rejects.toThrow(
    'database: The database is not empty: it has rows in console_sessions, projects.',
  );
  await (await start({ ...settings, port: 0 })).stop();
});

test('a difference after the import is reported with exit code 1, and servers refuse the database', async () => {
  const [data, folder, target] = [
    temporaryFolder(),
    join(temporaryFolder(), 'export'),
    join(temporaryFolder(), 'data'),
  ];
  await fillEveryTable(data);
  await exportTo(await settingsOf(onDisk(data)), folder);
  const settings = await settingsOf(onDisk(target));
  const interrupted = importFrom(settings, folder, {
    onCheckpoint(part) {
      if (part === 'videos') throw new Error('interrupted');
    },
  });
  await expect(interrupted).rejects.toThrow('interrupted');
  const db = new DatabaseSync(join(target, 'modelwire.sqlite'));
  db.exec("update videos set body = 'x' where seq = 2");
  db.close();
  const { output, exitCode } = await moveCommands.import(settings, folder);
  expect(exitCode).toBe(1);
  expect(output).toMatch(/^videos +3 +3 +DIFFERENT$/m);
  expect(output).toMatch(/^uploads +3 +3 +equal$/m);
  expect(output).toMatch(/^contents +3 +3 +equal$/m);
  await expect(start(settings)).rejects.toThrow('An import into this database is not complete.');
});

test('an export that is damaged or incomplete is refused', async () => {
  const [data, folder] = [temporaryFolder(), join(temporaryFolder(), 'export')];
  await fillEveryTable(data);
  const settings = await settingsOf(onDisk(data));
  const interrupted = exportTo(settings, folder, () => Promise.reject(new Error('interrupted')));
  await expect(interrupted).rejects.toThrow('interrupted');
  const target = await settingsOf(onDisk());
  await expect(importFrom(target, folder)).rejects.toThrow('is not a complete export');
  // Repeated, it is completed.
  await exportTo(settings, folder);
  await expect(exportTo(settings, folder)).rejects.toThrow('is not empty. Specify a new folder.');

  const damaged = join(temporaryFolder(), 'damaged');
  cpSync(folder, damaged, { recursive: true });
  writeFileSync(join(damaged, 'records', 'keys.jsonl'), '[]\n');
  await expect(importFrom(target, damaged)).rejects.toThrow(/keys\.jsonl in the export is damaged/);
  expect(existsSync(target.data)).toBe(false);

  cpSync(folder, damaged, { recursive: true });
  const blobs = readdirSync(join(damaged, 'blobs'), { recursive: true, encoding: 'utf8' });
  rmSync(join(damaged, 'blobs', blobs.find((name) => name.endsWith('blob_segment2')) ?? ''));
  await expect(importFrom(target, damaged)).rejects.toThrow('blob_segment2 in the export is damaged');
});

test('a repeated export copies contents again whose checksum differs from the source', async () => {
  const [data, folder] = [temporaryFolder(), join(temporaryFolder(), 'export')];
  await fillEveryTable(data);
  const settings = await settingsOf(onDisk(data));
  const { blobs } = await exportTo(settings, folder);
  rmSync(join(folder, 'export.json'));
  writeFileSync(join(folder, 'export.incomplete'), '');
  const copies = readdirSync(join(folder, 'blobs'), { recursive: true, encoding: 'utf8' });
  const copy = join(folder, 'blobs', copies.find((name) => name.endsWith('blob_segment2')) ?? '');
  const content = readFileSync(copy);
  writeFileSync(copy, Buffer.alloc(content.byteLength, '?'));
  expect((await exportTo(settings, folder)).blobs).toEqual(blobs);
  expect(readFileSync(copy)).toEqual(content);
});

test('contents that are damaged in the storage are not exported: the message names them and their record', async () => {
  const [data, folder] = [temporaryFolder(), join(temporaryFolder(), 'export')];
  await fillEveryTable(data);
  const names = readdirSync(join(data, 'blobs'), { recursive: true, encoding: 'utf8' });
  const path = join(data, 'blobs', names.find((name) => name.endsWith('blob_segment2')) ?? '');
  writeFileSync(path, Buffer.alloc(readFileSync(path).byteLength, '?'));
  await expect(exportTo(await settingsOf(onDisk(data)), folder)).rejects.toThrow(
    /^export: the file contents blob_segment2 of the record .+ are damaged/s,
  );
});

test('contents that a server deletes during the export: the records are read again', async () => {
  const [data, folder] = [temporaryFolder(), join(temporaryFolder(), 'export')];
  await fillEveryTable(data);
  const settings = await settingsOf(onDisk(data));
  const remove = (name: string) => {
    const blobs = readdirSync(join(data, 'blobs'), { recursive: true, encoding: 'utf8' });
    rmSync(join(data, 'blobs', blobs.find((path) => path.endsWith(name)) ?? ''));
  };
  let passes = 0;
  const { blobs } = await exportTo(settings, folder, async () => {
    if (++passes > 1) return;
    const db = new DatabaseSync(join(data, 'modelwire.sqlite'));
    db.exec(
      "delete from segments where blob_key = 'blob_segment1'; delete from upload_parts where blob_key = 'blob_segment1'",
    );
    db.close();
    remove('blob_segment1');
  });
  expect(passes).toBe(2);
  expect(blobs.count).toBe(2);
  remove('blob_segment2');
  const run = runFolderCommand('export', moveCommands.export, settings, join(folder, '..', 'other'));
  await expect(run).rejects.toThrow(
    /^export: the file contents blob_segment2 of the record segments\.owner_id 2 .+ are missing from the file storage\. See .+$/,
  );
});

test('the commands print a summary', async () => {
  const [data, cwd] = [temporaryFolder(), temporaryFolder()];
  const folder = join(cwd, 'moved');
  await fillEveryTable(data);
  const exported = await moveCommands.export(await settingsOf(onDisk(data)), folder);
  const again = await moveCommands.export(await settingsOf(onDisk(data)), folder);
  expect(again.output).toBe(
    `The export in ${folder} is already complete. Nothing was changed. To export what was written since then, specify a new folder.\n`,
  );
  expect(exported.output).toMatch(
    /^Exported \d+ records of \d+ tables and 3 contents \(300006 bytes\) to .*moved\.\nIt contains secrets in plain text: the signing secrets of 3 webhooks/,
  );
  const target = await settingsOf(onDisk(join(cwd, 'data')));
  expect(await moveCommands.import(target, folder)).toEqual({
    output: expect.stringMatching(/Imported everything\.\n$/) as string,
    exitCode: 0,
  });
  expect((await moveCommands.import(target, folder)).output).toContain('has already been imported');
});
