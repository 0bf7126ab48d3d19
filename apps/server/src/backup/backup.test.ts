import {
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import OpenAI, { toFile } from 'openai';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { readSettings } from '../config/settings.ts';
import { start } from '../start/start.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';
import { backUp } from './backup.ts';
import { moveHelp } from '../move/commands.ts';
import { exportTo } from '../move/export.ts';
import { backupCommands, backupHelp } from './commands.ts';
import { pathArgument } from '../commands/path-argument.ts';
import { restore } from './restore.ts';

const messages = [{ role: 'user' as const, content: 'Hello' }];

const settingsOf = (data: string) =>
  readSettings(tmpdir(), { MODELWIRE_DATA: data, MODELWIRE_LOG_LEVEL: 'silent', PORT: '0' });

async function open() {
  const server = await startTestServer({ moderation: false, videos: false, console: false, docs: false });
  onTestFinished(() => server.stop());
  const folder = join(temporaryFolder(), 'backup');
  return { server, folder, settings: await settingsOf(server.data) };
}

const upload = ({ client }: TestServer, name: string, content: string) =>
  toFile(Buffer.from(content), name).then((file) => client.files.create({ file, purpose: 'user_data' }));

const storeCompletion = ({ client }: TestServer, name: string) =>
  client.chat.completions.create({ model: 'simulator', messages, store: true, metadata: { name } });

/** Starts a server on a restored data folder. The key is in its database, not in its configuration. */
async function serve(data: string, apiKey: string) {
  const running = await start({ ...(await settingsOf(data)), host: '127.0.0.1', port: 0, drainMs: 100 });
  onTestFinished(() => running.stop());
  return new OpenAI({ apiKey, baseURL: `${running.url}/v1`, maxRetries: 0 });
}

/** All rows of all tables, in primary key order. */
function rowsOf(path: string): Record<string, unknown> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").all();
    return Object.fromEntries(
      tables.map(({ name }) => {
        const all = db.prepare(`select * from "${String(name)}"`);
        // The index of words has numbers that no JavaScript number holds.
        all.setReadBigInts(true);
        return [String(name), all.all().map(withoutBigInts)];
      }),
    );
  } finally {
    db.close();
  }
}

function withoutBigInts(row: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  );
}

test('all records and contents are equal after a restore to another folder', async () => {
  const { server, folder, settings } = await open();
  const key = await server.makeKey({ role: 'admin', name: 'Ada' });
  const contents = Array.from({ length: 5 }, (_, index) => `${index} `.repeat(100_000 * index + 1));
  const files = await Promise.all(contents.map((content, index) => upload(server, `${index}.txt`, content)));
  const completion = await storeCompletion(server, 'one');
  const open_ = await server.client.uploads.create({
    filename: 'part.txt',
    bytes: 4,
    mime_type: 'text/plain',
    purpose: 'user_data',
  });
  const part = await server.client.uploads.parts.create(open_.id, { data: await toFile(Buffer.from('part'), 'p') });

  const manifest = await backUp(settings, folder);
  expect(manifest.blobs).toHaveLength(6);
  expect(readdirSync(folder).toSorted()).toEqual(['blobs', 'manifest.json', 'modelwire.sqlite']);
  if (process.platform !== 'win32') expect(statSync(join(folder, 'modelwire.sqlite')).mode & 0o077).toBe(0);

  const data = join(temporaryFolder(), 'restored');
  await restore(await settingsOf(data), folder);
  expect(rowsOf(join(data, 'modelwire.sqlite'))).toEqual(rowsOf(join(folder, 'modelwire.sqlite')));

  const client = await serve(data, key);
  for (const [index, file] of files.entries()) {
    expect(await client.files.retrieve(file.id)).toEqual(await server.client.files.retrieve(file.id));
    expect(await (await client.files.content(file.id)).text()).toBe(contents[index]);
  }
  expect(await client.chat.completions.retrieve(completion.id)).toMatchObject({ id: completion.id });
  const completed = await client.uploads.complete(open_.id, { part_ids: [part.id] });
  expect(await (await client.files.content(completed.file?.id ?? '')).text()).toBe('part');
});

test('a backup during writes and deletions contains every record of its point in time, with its contents', async () => {
  const { server, folder, settings } = await open();
  const key = await server.makeKey({ role: 'admin' });
  let isStopped = false;
  const acknowledged = new Map<string, string>();
  /** Creates files, and deletes every other. */
  async function write(writer: number): Promise<void> {
    for (let index = 0; !isStopped; index++) {
      const content = `${writer}/${index} `.repeat(2000);
      const { id } = await upload(server, `${writer}-${index}.txt`, content);
      acknowledged.set(id, content);
      if (index % 2 === 1) {
        acknowledged.delete(id);
        await server.client.files.delete(id);
      }
      await storeCompletion(server, `${writer}-${index}`);
    }
  }
  const writers = [0, 1, 2, 3].map(write);
  await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(8);
  const before = new Map(acknowledged);
  await backUp(settings, folder, async () => {
    const { size } = acknowledged;
    await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(size);
  });
  isStopped = true;
  await Promise.all(writers);

  const data = join(temporaryFolder(), 'restored');
  await restore(await settingsOf(data), folder);
  const client = await serve(data, key);
  const restored = await Array.fromAsync(client.files.list({ limit: 100 }));
  expect(restored.map(({ id }) => id)).toEqual(expect.arrayContaining([...before.keys()]));
  // Files that were created or deleted during the backup may be included: with all their bytes.
  for (const { id, bytes } of restored) {
    const content = await (await client.files.content(id)).text();
    expect(content).toHaveLength(bytes);
    expect(acknowledged.get(id) ?? content).toBe(content);
  }
  const completions = await Array.fromAsync(client.chat.completions.list({ limit: 100 }));
  for (const { id } of completions) expect(await client.chat.completions.retrieve(id)).toMatchObject({ id });
});

test('contents that were deleted while they were copied: the database is copied again, without their record', async () => {
  const { server, folder, settings } = await open();
  const [kept, deleted] = [await upload(server, 'kept', 'kept'), await upload(server, 'deleted', 'deleted')];
  let snapshots = 0;
  const manifest = await backUp(settings, folder, async () => {
    if (++snapshots > 1) return;
    await server.client.files.delete(deleted.id);
    // As the server does later.
    for (const name of readdirSync(join(server.data, 'blobs'), { recursive: true, encoding: 'utf8' })) {
      const path = join(server.data, 'blobs', name);
      if (statSync(path).isFile() && readFileSync(path, 'utf8') === 'deleted') rmSync(path);
    }
  });
  expect(snapshots).toBe(2);
  expect(manifest.blobs).toMatchObject([{ bytes: 4 }]);
  expect(JSON.stringify(rowsOf(join(folder, 'modelwire.sqlite'))['files'])).toContain(kept.id);
  expect(JSON.stringify(rowsOf(join(folder, 'modelwire.sqlite'))['files'])).not.toContain(deleted.id);
});

test('names missing contents that a record refers to', async () => {
  const { server, folder, settings } = await open();
  const { id } = await upload(server, 'a', 'lost');
  for (const name of readdirSync(join(server.data, 'blobs'), { recursive: true, encoding: 'utf8' })) {
    const path = join(server.data, 'blobs', name);
    if (statSync(path).isFile()) rmSync(path);
  }
  await expect(backUp(settings, folder)).rejects.toThrow(
    new RegExp(`^backup: the file contents blob_\\w+ of the record ${id} are missing`),
  );
  await expect(restore(await settingsOf(temporaryFolder()), folder)).rejects.toThrow('does not exist');
});

test('neither a backup nor a restore overwrites existing files', async () => {
  const { settings } = await open();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'x'), '');
  await expect(backUp(settings, folder)).rejects.toThrow(`backup: the folder ${folder} is not empty`);
  const backup = join(temporaryFolder(), 'backup');
  await backUp(settings, backup);
  await expect(restore(settings, backup)).rejects.toThrow('modelwire.sqlite exists');
  await expect(backUp(await settingsOf(temporaryFolder()), join(folder, 'y'))).rejects.toThrow('There is no database');
});

test('a damaged backup is refused, and a restore can be repeated', async () => {
  const { server, folder, settings } = await open();
  await upload(server, 'a', 'contents of the file');
  await backUp(settings, folder);
  const damaged = join(temporaryFolder(), 'damaged');
  cpSync(folder, damaged, { recursive: true });
  const blob = readdirSync(join(damaged, 'blobs'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(damaged, 'blobs', name))
    .find((path) => statSync(path).isFile());
  writeFileSync(blob ?? '', 'contents of the FILE');
  const target = await settingsOf(join(temporaryFolder(), 'restored'));
  await expect(restore(target, damaged)).rejects.toThrow(/^restore: blob_\w+ in the backup is damaged/);
  await restore(target, folder);

  writeFileSync(join(damaged, 'modelwire.sqlite'), 'not a database');
  const other = await settingsOf(join(temporaryFolder(), 'restored'));
  await expect(restore(other, damaged)).rejects.toThrow('restore: modelwire.sqlite in the backup is damaged');
  writeFileSync(join(damaged, 'manifest.json'), '{}');
  await expect(restore(other, damaged)).rejects.toThrow('manifest.json is damaged');
});

test('a database of a newer version is refused by the server, by backup and by restore, without a stack', async () => {
  const { server, folder, settings } = await open();
  await backUp(settings, folder);
  const data = join(temporaryFolder(), 'restored');
  await restore(await settingsOf(data), folder);
  const db = new DatabaseSync(join(data, 'modelwire.sqlite'));
  db.exec("insert into modelwire_migrations values (9999, 'of the future', '2030')");
  db.close();
  const message = 'The database has tables of version 9999, but this program supports versions up to';
  const newer = await settingsOf(data);
  await expect(start(newer)).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringContaining(message) as string,
  });
  await expect(backUp(newer, join(temporaryFolder(), 'b'))).rejects.toMatchObject({ name: 'ConfigError' });
  expect(server.url).toBeTruthy();
});

test('a failed backup can be repeated with the same folder, and leaves nothing in other folders', async () => {
  const { server, settings } = await open();
  const parent = temporaryFolder();
  const folder = join(parent, 'new', 'backup');
  const wrong = await settingsOf(join(parent, 'none'));
  await expect(backUp(wrong, folder)).rejects.toThrow('There is no database at');
  await expect(exportTo(wrong, folder)).rejects.toThrow('There is no database at');
  expect(readdirSync(parent)).toEqual([]);

  await upload(server, 'a', 'a');
  const interrupted = () => Promise.reject(new Error('interrupted'));
  await expect(backUp(settings, folder, interrupted)).rejects.toThrow('interrupted');
  expect(readdirSync(parent)).toEqual([]);
  const empty = temporaryFolder();
  await expect(backUp(settings, empty, interrupted)).rejects.toThrow('interrupted');
  expect(readdirSync(empty)).toEqual([]);
  await backUp(settings, folder);
  expect(readdirSync(folder)).toContain('manifest.json');
});

test('a backup that was killed is named as such', async () => {
  const { settings } = await open();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'modelwire.sqlite'), '');
  await expect(backUp(settings, folder)).rejects.toThrow(`${folder} contains a backup that was interrupted`);
  expect(readdirSync(folder)).toEqual(['modelwire.sqlite']);
});

test('a backup whose manifest lacks contents of a record is refused', async () => {
  const { server, folder, settings } = await open();
  await Promise.all(['a', 'bb', 'ccc'].map((content) => upload(server, content, content)));
  const manifest = await backUp(settings, folder);
  const [removed, ...blobs] = manifest.blobs;
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, blobs }));
  const target = await settingsOf(join(temporaryFolder(), 'restored'));
  await expect(restore(target, folder)).rejects.toThrow(
    `manifest.json does not contain 1 of the 3 contents that records refer to, such as ${removed?.key}`,
  );
  expect(readdirSync(target.data)).not.toContain('modelwire.sqlite');
});

test('a backup cannot be made in the folder of file contents; in the data folder, it asks to copy it', async () => {
  const { server, settings } = await open();
  const link = join(temporaryFolder(), 'link');
  symlinkSync(join(server.data, 'blobs'), link, 'junction');
  for (const folder of [join(server.data, 'blobs', 'new'), join(link, 'new')])
    await expect(backUp(settings, folder)).rejects.toThrow('which contains the files of the server');
  expect(readdirSync(join(server.data, 'blobs'))).not.toContain('new');
  const { output } = await backupCommands.backup(settings, join(server.data, 'backups', 'today'));
  expect(output).toContain('The backup is in the data folder, and is lost with it. Copy it to another machine.');
});

test('a restore does not follow a symbolic link in the data folder', async () => {
  const { settings, folder } = await open();
  await backUp(settings, folder);
  const target = await settingsOf(temporaryFolder());
  const other = join(temporaryFolder(), 'other');
  writeFileSync(other, 'unchanged');
  symlinkSync(other, join(target.data, 'modelwire.sqlite.restoring'));
  await restore(target, folder);
  expect(readFileSync(other, 'utf8')).toBe('unchanged');
  expect(lstatSync(join(target.data, 'modelwire.sqlite')).isFile()).toBe(true);
});

test('rejects PostgreSQL and names the tools to use', async () => {
  const settings = { ...(await settingsOf(temporaryFolder())), database: 'postgres://localhost/x' };
  await expect(backUp(settings, temporaryFolder())).rejects.toThrow('pg_dump');
  await expect(restore(settings, temporaryFolder())).rejects.toThrow('MODELWIRE_DATABASE_URL');
});

test.each([
  ['modelwire-server backup <folder>', backupHelp],
  ['modelwire-server export <folder>', moveHelp],
])('commands require one folder: %s', (usage, help) => {
  for (const args of [[], ['a', 'b']]) expect(() => pathArgument(args, '/parent', help)).toThrow(usage);
  expect(pathArgument(['backup'], '/parent', help)).toBe(resolve('/parent/backup'));
});

test('the commands print a summary', async () => {
  const { settings, folder } = await open();
  expect(await backupCommands.backup(settings, folder)).toEqual({
    output: `Backed up the database and the contents of files (0 parts, 0 bytes) to ${folder}.\nIt contains no secrets in plain text, but prompts and the hashes of keys.\n`,
  });
  const target = await settingsOf(join(temporaryFolder(), 'restored'));
  expect((await backupCommands.restore(target, folder)).output).toContain(`to ${target.data}.\n`);
});

test('the summary and the manifest name the secrets of a backup', async () => {
  const { settings, folder } = await open();
  writeFileSync(join(settings.data, 'api-key'), 'sk-of-the-first-start');
  const db = new DatabaseSync(join(settings.data, 'modelwire.sqlite'));
  db.exec(
    "insert into webhooks (id, url, is_enabled, secret, created_at, name) values ('webhook_1', 'https://example.com', 1, 'whsec', 1, '')",
  );
  db.close();
  const { output } = await backupCommands.backup(settings, folder);
  const secrets = ['the key of the first start (api-key)', 'the signing secrets of 1 webhook (records)'];
  expect(output).toContain(`It contains secrets in plain text: ${secrets.join(', ')}.`);
  expect(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))).toMatchObject({ secrets });
});

test('contents that are damaged in the storage are in no backup: the message names them and their record', async () => {
  const { server, folder, settings } = await open();
  const { id } = await upload(server, 'a', 'contents of the file');
  const [blob] = readdirSync(join(server.data, 'blobs'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(server.data, 'blobs', name))
    .filter((path) => statSync(path).isFile());
  writeFileSync(blob ?? '', 'contents of the FILE');
  await expect(backUp(settings, folder)).rejects.toThrow(
    new RegExp(`^backup: the file contents blob_\\w+ of the record ${id} are damaged`),
  );
});

test('a manifest whose checksum of contents is not that of their record is refused', async () => {
  const { server, folder, settings } = await open();
  await upload(server, 'a', 'contents of the file');
  await backUp(settings, folder);
  const path = join(folder, 'manifest.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/("sha256": ")[0-9a-f]{64}/, `$1${'0'.repeat(64)}`));
  await expect(restore(await settingsOf(join(temporaryFolder(), 'restored')), folder)).rejects.toThrow(
    'does not contain 1 of the 1 contents that records refer to',
  );
});

test.each([
  ['no JSON', '{"format": 1,'],
  ['an array', '[]'],
  ['deeply nested', '['.repeat(100_000)],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0, 0])],
  ['a key of contents that is a path', '../../modelwire'],
])('a manifest that is broken is named in one line: %s', async (_, content) => {
  const { server, folder, settings } = await open();
  await upload(server, 'a', 'contents of the file');
  await backUp(settings, folder);
  const path = join(folder, 'manifest.json');
  const isKey = content === '../../modelwire';
  writeFileSync(path, isKey ? readFileSync(path, 'utf8').replace(/blob_\w+/, content) : content);
  const failure = await restore(await settingsOf(join(temporaryFolder(), 'restored')), folder).catch(String);
  expect(failure).toBe(`ConfigError: ${path} is damaged, or was made by a newer version.`);
});

test('a folder in place of the manifest is named in one line', async () => {
  const { folder, settings } = await open();
  await backUp(settings, folder);
  const path = join(folder, 'manifest.json');
  rmSync(path);
  mkdirSync(path);
  await expect(restore(await settingsOf(join(temporaryFolder(), 'restored')), folder)).rejects.toThrow(
    `${path} is damaged, or was made by a newer version.`,
  );
});
