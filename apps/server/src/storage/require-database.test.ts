import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, onTestFinished, test } from 'vitest';
import { requireRecordsOfContents } from './require-database.ts';
import { startTestServer } from '../testing/test-server.ts';

async function startWithFile() {
  const server = await startTestServer();
  await server.client.files.create({ file: new File(['{"a":1}\n'], 'data.jsonl'), purpose: 'user_data' });
  onTestFinished(() => rmSync(server.data, { recursive: true, force: true }));
  return server;
}

const places = (data = temporaryFolder()) => ({ data, database: undefined, s3: undefined });
const holding = (isEmpty: boolean | undefined) => ({ isEmpty: async () => isEmpty });
const stores = (...answers: boolean[]) => ({
  ledger: { isEmpty: async () => answers.shift() ?? false } as Parameters<typeof requireRecordsOfContents>[2]['ledger'],
});

const database = (data: string): string => join(data, 'modelwire.sqlite');

test.each([
  ['missing', undefined],
  ['empty', ''],
])(
  'a server whose database file is %s beside existing contents does not start, and says what to do',
  async (what, text) => {
    const server = await startWithFile();
    const { data } = server;
    const restarting = server.restart({
      beforeStart() {
        rmSync(database(data));
        if (text !== undefined) writeFileSync(database(data), text);
      },
    });
    await expect(restarting).rejects.toThrow(
      new RegExp(
        `^database: ${database(data)} is ${what}, but .*blobs has the contents of files. Restore a .*move .*$`,
      ),
    );
    expect(existsSync(database(data))).toBe(text !== undefined);
  },
);

test('a database without records beside a bucket with contents is refused', async () => {
  const s3 = { bucket: 'files', endpoint: 'http://127.0.0.1:1' };
  const settings = { ...places(), database: 'postgres://host/db', s3 };
  await expect(requireRecordsOfContents(settings, holding(false), stores(true, true))).rejects.toThrow(
    'database: the database has no records of files, but the bucket files has the contents of files. Restore a backup, or set another prefix or bucket to start without records.',
  );
});

test('a database whose first file is stored during the check, and a storage that cannot be listed, are accepted', async () => {
  const checked = Promise.all([
    requireRecordsOfContents(places(), holding(false), stores(true, false)),
    requireRecordsOfContents(places(), holding(undefined), stores(true, true)),
    requireRecordsOfContents(places(), {}, stores(true, true)),
  ]);
  await expect(checked).resolves.toHaveLength(3);
});

test('a server whose database was emptied beside existing contents does not start', async () => {
  const server = await startWithFile();
  const { data } = server;
  const restarting = server.restart({
    beforeStart() {
      const emptied = new DatabaseSync(database(data));
      emptied.exec('delete from files');
      emptied.close();
    },
  });
  await expect(restarting).rejects.toThrow(`database: ${database(data)} has no records of files, but`);
});
