import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '@modelwire/store-postgres/testing';
import { listenForTest } from '@modelwire/vitest/listen';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { backUp } from '../backup/backup.ts';
import { backupCommands } from '../backup/commands.ts';
import { runKeysCommand } from '../keys/keys-command.ts';
import { runFolderCommand } from './folder-command.ts';
import type { ExportManifest } from '../move/export-manifest.ts';
import { moveCommands } from '../move/commands.ts';
import { exportTo } from '../move/export.ts';
import { importFrom } from '../move/import.ts';
import { readLines } from '../move/lines.ts';
import { start } from '../start/start.ts';
import { fillEveryTable } from '../testing/every-table.ts';
import { readFolder, writeFolder } from '../testing/folder-copy.ts';
import type { FolderCopy } from '../testing/folder-copy.ts';
import { onDisk, settingsOf, useStorages } from '../testing/storages.ts';
import type { Variables } from '../testing/storages.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const storages = useStorages();
const commands = { ...backupCommands, ...moveCommands };

/** Returns the message of a command that fails as expected, in one line. */
async function messageOf(run: Promise<unknown>): Promise<string> {
  const error: unknown = await run.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'ConfigError', message: expect.not.stringContaining('\n') as string });
  return (error as Error).message;
}

async function failureOf(name: keyof typeof commands, variables: Variables, folder: string): Promise<string> {
  return messageOf(runFolderCommand(name, commands[name], await settingsOf(variables), folder));
}

async function failureOfKeys(args: readonly string[], variables: Variables): Promise<string> {
  return messageOf(runKeysCommand(args, await settingsOf(variables)));
}

let firstExport: { readonly files: FolderCopy; readonly manifest: ExportManifest } | undefined;

async function exported() {
  const [data, folder] = [temporaryFolder(), join(temporaryFolder(), 'export')];
  await fillEveryTable(data);
  if (firstExport) {
    writeFolder(folder, firstExport.files);
  } else {
    const manifest = await exportTo(await settingsOf(onDisk(data)), folder);
    firstExport = { files: readFolder(folder), manifest };
  }
  return { data, folder, manifest: firstExport.manifest };
}

const pathOfBlob = (folder: string, key: string) =>
  join(folder, 'blobs', createHash('sha256').update(key).digest('hex').slice(0, 2), key);

/** Changes a file of an export, with a checksum that matches. */
function change(folder: string, name: string, edit: (text: string) => string): void {
  const path = join(folder, name);
  const text = edit(readFileSync(path, 'utf8'));
  writeFileSync(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  const count = text.split('\n').length - 1;
  const manifest = JSON.parse(readFileSync(join(folder, 'export.json'), 'utf8')) as ExportManifest;
  const changed: ExportManifest = {
    ...manifest,
    tables: manifest.tables.map((table) =>
      name === `records/${table.name}.jsonl` ? { ...table, sha256, rows: count } : table,
    ),
    blobs: name === 'blobs.jsonl' ? { ...manifest.blobs, sha256, count } : manifest.blobs,
  };
  writeFileSync(join(folder, 'export.json'), JSON.stringify(changed));
}

/** Runs the program. Returns what it prints to stderr, and its exit code. */
async function runProgram(args: readonly string[]) {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => (stderr += bytes.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { stderr, code };
}

test('the program prints one line without a stack trace, and exits with code 1', async () => {
  const { folder } = await exported();
  change(folder, 'blobs.jsonl', (text) => `${text}x\n`);
  expect(await runProgram(['import', folder])).toEqual({
    stderr: `import: Line 4 of ${join(folder, 'blobs.jsonl')} is invalid: the file was changed. Export again.\n`,
    code: 1,
  });
  expect(await runProgram(['keys', 'revoke', 'key_x'])).toEqual({
    stderr: 'keys: No API key has the ID key_x.\n',
    code: 1,
  });
});

describe('a failure of keys is one line for', () => {
  test.each([
    ['an unknown key', ['revoke', 'key_x'], {}, 'keys: No API key has the ID key_x.'],
    ['an ID with a line feed', ['rotate', 'a\nb'], {}, 'keys: No API key has the ID a b.'],
    ['a missing ID', ['revoke'], {}, 'keys: Usage: keys revoke <id>'],
    ['an unknown command', ['dance'], {}, "keys: Unknown command 'keys dance'"],
    [
      'a database that is down',
      ['list'],
      { MODELWIRE_DATABASE_URL: 'postgres://user:secret@127.0.0.1:9/x' },
      'keys: database 127.0.0.1:9: PostgreSQL cannot be reached: ECONNREFUSED. Check that PostgreSQL is running and reachable, then repeat the command.',
    ],
  ] as const)('%s', async (_, args, variables, message) => {
    expect(await failureOfKeys(args, { ...onDisk(), ...variables })).toContain(message);
  });

  test('a database that another process has locked', async () => {
    const { data } = await exported();
    const other = new DatabaseSync(join(data, 'modelwire.sqlite'));
    onTestFinished(() => other.close());
    other.exec('begin immediate');
    expect(await failureOfKeys(['create'], onDisk(data))).toBe(
      'keys: database: database is locked. Another process is using the database: repeat the command when it has finished.',
    );
  });

  test('a damaged database', async () => {
    const { data } = await exported();
    for (const suffix of ['-wal', '-shm']) rmSync(join(data, `modelwire.sqlite${suffix}`), { force: true });
    writeFileSync(join(data, 'modelwire.sqlite'), 'x'.repeat(5000));
    expect(await failureOfKeys(['list'], onDisk(data))).toMatch(
      /^keys: database: .* is damaged: see "Lost or damaged data" in docs\/operations\/incidents\.md\.$/,
    );
  });
});

test.each([
  [
    'a line that is not JSON',
    'records/keys.jsonl',
    (text: string) => text.replace('[', '{'),
    /^import: Line 1 of .*keys\.jsonl is invalid/,
  ],
  [
    'a value of another type',
    'records/keys.jsonl',
    (text: string) => text.replace('[', '[true,'),
    /^import: Line 1 of .*keys\.jsonl is invalid/,
  ],
  [
    'a key that is a path',
    'blobs.jsonl',
    (text: string) => text.replace('blob_', '../blob_'),
    /^import: Line 1 of .*blobs\.jsonl is invalid/,
  ],
  [
    'no last line feed',
    'blobs.jsonl',
    (text: string) => text.slice(0, -1),
    /^import: Line 3 of .*blobs\.jsonl is invalid/,
  ],
  [
    'a duplicate row',
    'records/keys.jsonl',
    (text: string) => text + text.slice(0, text.indexOf('\n') + 1),
    /^import: The database refused a record of .*keys\.jsonl, lines 1 to 4: UNIQUE constraint failed: .* Export again\.$/,
  ],
])('import of a changed export names the line: %s', async (_, name, edit, message) => {
  const { folder } = await exported();
  change(folder, name, edit);
  expect(await failureOf('import', onDisk(), folder)).toMatch(message);
});

test('a duplicate row is named with PostgreSQL too', async () => {
  const { folder } = await exported();
  change(folder, 'records/keys.jsonl', (text) => text + text.slice(0, text.indexOf('\n') + 1));
  expect(await failureOf('import', await storages.replicated(), folder)).toMatch(
    /^import: The database refused a record of .*keys\.jsonl, lines 1 to 4: PostgreSQL: duplicate key/,
  );
});

test.each([
  ['SQLite', () => Promise.resolve(onDisk())],
  ['PostgreSQL', () => storages.replicated()],
])(
  'an import of a list without contents of a record fails, and servers refuse the database: %s',
  async (_, variables) => {
    const { folder } = await exported();
    change(folder, 'blobs.jsonl', (text) => text.slice(text.indexOf('\n') + 1));
    const target = await variables();
    expect(await failureOf('import', target, folder)).toContain(
      'blobs.jsonl does not contain 1 of the contents that records refer to, such as blob_segment1.',
    );
    await expect(start(await settingsOf(target))).rejects.toThrow('An import into this database is not complete.');
  },
);

test('import does not read a table outside the export', async () => {
  const { folder, manifest } = await exported();
  const secret = join(folder, '..', 'secret.jsonl');
  writeFileSync(secret, '[]\n');
  const sha256 = createHash('sha256').update('[]\n').digest('hex');
  const tables = [{ name: '../../secret', columns: [], rows: 1, sha256 }, ...manifest.tables];
  writeFileSync(join(folder, 'export.json'), JSON.stringify({ ...manifest, tables }));
  expect(await failureOf('import', onDisk(), folder)).toBe(
    `import: ${join(folder, 'export.json')} is damaged, or was made by a newer version.`,
  );
});

test('a line that is too long is refused before it is in memory', async () => {
  const path = join(temporaryFolder(), 'lines.jsonl');
  writeFileSync(path, `[1]\n"${'x'.repeat(1000)}"\n`);
  const lines = readLines(path, { parse: (value) => value, skip: 0, chunkSize: 1, maxLineBytes: 1000 });
  expect(await lines.next()).toMatchObject({ value: [[1]] });
  await expect(lines.next()).rejects.toThrow(`Line 2 of ${path} is invalid`);
});

test.each(['symbolic link', 'folder'])('a %s instead of contents is named', async (kind) => {
  const { folder, data } = await exported();
  const path = pathOfBlob(folder, 'blob_segment2');
  rmSync(path);
  if (kind === 'folder') mkdirSync(path);
  else symlinkSync(pathOfBlob(data, 'blob_segment2'), path);
  expect(await failureOf('import', onDisk(), folder)).toMatch(/^import: data: .*'blob_segment2'/);
});

test.each([
  ['AWS_ACCESS_KEY_ID', 'wrong', 'the access key does not exist'],
  ['MODELWIRE_S3_BUCKET', 'no-such-bucket', 'the bucket does not exist'],
  ['MODELWIRE_S3_ENDPOINT', 'http://127.0.0.1:9', 'Check that the S3 service is running'],
])('a wrong %s is named before an import writes anything', async (name, value, expected) => {
  const { folder } = await exported();
  const variables = { ...(await storages.replicated()), [name]: value };
  const message = await failureOf('import', variables, folder);
  expect(message).toMatch(/^import: s3: /);
  expect(message).toContain(expected);
  const { MODELWIRE_DATABASE_URL: url = '' } = variables;
  const other = { ...onDisk(), MODELWIRE_DATABASE_URL: url };
  expect(await failureOf('export', other, join(temporaryFolder(), 'e'))).toContain(
    'There are no tables of this server',
  );
});

test('a wrong secret access key is named', async () => {
  const { folder } = await exported();
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>'));
  });
  const host = await listenForTest(server);
  const variables = { ...(await storages.replicated()), MODELWIRE_S3_ENDPOINT: `http://${host}` };
  expect(await failureOf('import', variables, folder)).toMatch(
    /^import: s3: .*the secret access key is wrong \(SignatureDoesNotMatch, status 403\)\. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY/,
  );
});

test('a lost connection to PostgreSQL is named', async () => {
  const { folder } = await exported();
  const postgres = await startPostgres();
  onTestFinished(() => postgres.discard());
  const settings = await settingsOf(await storages.replicated(postgres.url));
  let stopping: Promise<void> | undefined;
  const run = runFolderCommand(
    'import',
    async () => {
      await importFrom(settings, folder, { onCheckpoint: () => void (stopping ??= postgres.stop()) });
      return { output: '' };
    },
    settings,
    folder,
  );
  await expect(run).rejects.toThrow(
    /^import: database: .*PostgreSQL.*\. Check that PostgreSQL is running and reachable, then repeat the command\.$/,
  );
  await stopping;
});

test.each(['modelwire.sqlite', 'api-key'])('restore names a missing %s', async (name) => {
  const { data } = await exported();
  writeFileSync(join(data, 'api-key'), 'sk-test-key-of-the-server\n');
  const folder = join(temporaryFolder(), 'backup');
  await backUp(await settingsOf(onDisk(data)), folder);
  rmSync(join(folder, name));
  expect(await failureOf('restore', onDisk(), folder)).toBe(
    `restore: the backup ${folder} is damaged: ${name} is missing. Use another backup.`,
  );
});

test.each(['restore', 'import'] as const)(
  '%s says whether its folder is missing, unreadable or incomplete',
  async (name) => {
    const kind =
      name === 'restore' ? { manifest: 'manifest.json', is: 'backup' } : { manifest: 'export.json', is: 'export' };
    const folder = join(temporaryFolder(), 'folder');
    expect(await failureOf(name, onDisk(), folder)).toBe(`${name}: The folder ${folder} does not exist.`);
    mkdirSync(folder);
    expect(await failureOf(name, onDisk(), folder)).toMatch(
      `${folder} is not a complete ${kind.is}: it has no ${kind.manifest}.`,
    );
    // A loop: unreadable for every user.
    symlinkSync(kind.manifest, join(folder, kind.manifest));
    expect(await failureOf(name, onDisk(), folder)).toBe(
      `${name}: ${join(folder, kind.manifest)}: the path is a symbolic link (ELOOP).`,
    );
  },
);

// The superuser can read everything.
test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'an unreadable backup is named as such',
  async () => {
    const folder = join(temporaryFolder(), 'folder');
    mkdirSync(folder, { mode: 0o000 });
    onTestFinished(() => chmodSync(folder, 0o700));
    expect(await failureOf('restore', onDisk(), folder)).toMatch(
      /manifest\.json: permission denied \(EACCES\)\. Check the owner/,
    );
  },
);

test.each(['records/keys.jsonl', 'blobs.jsonl'])('import names an unreadable %s', async (name) => {
  const { folder } = await exported();
  rmSync(join(folder, name));
  expect(await failureOf('import', onDisk(), folder)).toContain(`${name} in the export is damaged: it is missing`);
  symlinkSync(basename(name), join(folder, name));
  expect(await failureOf('import', onDisk(), folder)).toBe(
    `import: ${join(folder, name)}: the path is a symbolic link (ELOOP).`,
  );
});

test('backup and export name the damaged database of the server', async () => {
  const { data } = await exported();
  const path = join(data, 'modelwire.sqlite');
  const file = openSync(path, 'r+');
  for (let page = 2; page < 60; page++) writeSync(file, Buffer.alloc(4096, 7), 0, 4096, page * 4096);
  closeSync(file);
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  expect(await failureOf('backup', onDisk(data), join(temporaryFolder(), 'b'))).toContain(
    `The file ${path} is damaged`,
  );
  expect(await failureOf('export', onDisk(data), join(temporaryFolder(), 'e'))).toMatch(
    /^export: database: .*malformed\. The database in the data folder is damaged: see/,
  );
  truncateSync(path, 5000);
  expect(await failureOf('export', onDisk(data), join(temporaryFolder(), 'e'))).toMatch(/^export: database: /);
});

test('a full disk and a read-only file system are named, with the path', async () => {
  const settings = await settingsOf(onDisk());
  const fail = (code: string) =>
    runFolderCommand(
      'backup',
      () =>
        Promise.reject(
          Object.assign(new Error(`${code}: x`), { code, errno: -1, syscall: 'open', path: '/backups/x' }),
        ),
      settings,
      '/backups',
    );
  await expect(fail('ENOSPC')).rejects.toThrow(
    /^backup: \/backups\/x: the disk is full \(ENOSPC\)\. Free space, then repeat the command\.$/,
  );
  await expect(fail('EROFS')).rejects.toThrow('backup: /backups/x: the file system is read-only (EROFS). Use');
});

test('programming errors keep their stack trace; the log level debug adds it to others', async () => {
  const settings = await settingsOf(onDisk());
  const bug = new TypeError('x is not a function');
  await expect(runFolderCommand('export', () => Promise.reject(bug), settings, '/x')).rejects.toBe(bug);
  const folder = join(temporaryFolder(), 'none');
  const error: unknown = await runFolderCommand(
    'restore',
    commands.restore,
    { ...settings, logLevel: 'debug' },
    folder,
  ).catch((reason: unknown) => reason);
  expect((error as Error).message).toMatch(/^restore: .*\n(?:.*\n)* +at /);
});
