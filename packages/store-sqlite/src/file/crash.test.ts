import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { parseSearch } from '@modelwire/ports/internal';
import { openSqliteStores } from '../sqlite-stores.ts';
import { databasePath } from '../testing/folder.ts';

const rounds = 3;

/** Appends in another process and kills it `lives` milliseconds after its first output. Returns what was acknowledged. */
async function appendUntilKilled(path: string, prefix: string, lifetimeMs: number): Promise<string[]> {
  const list = `${path}-list-${prefix}`;
  const script = new URL('../testing/appender.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, path, prefix, list], { stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.on('data', (bytes: Buffer) => process.stderr.write(bytes));
  const closed = once(child, 'close');
  const readList = async () => (await readFile(list, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  await vi.waitUntil(async () => (await readList()).length > 0, { timeout: 60_000, interval: 5 });
  await sleep(lifetimeMs);
  child.kill('SIGKILL');
  await closed;
  return readList();
}

test(
  'acknowledged writes of two processes are complete after kill -9, three times each',
  { timeout: 600_000 },
  async () => {
    const path = await databasePath();
    const acknowledged: string[] = [];
    const prefixes = Array.from({ length: rounds }, (_, round) => [`${round}a`, `${round}b`] as const);
    for (const pair of prefixes) {
      const lists = await Promise.all(pair.map((prefix) => appendUntilKilled(path, prefix, Math.random() * 60)));
      acknowledged.push(...lists.flat());
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(2 * rounds);

    const stores = await openSqliteStores({ path });
    const { completions, files } = stores.project('p');
    const page = { limit: 2, order: 'asc' } as const;
    for (const id of acknowledged) {
      const completion = await completions.get(id);
      const content = completion?.choices[0]?.message.content ?? '';
      expect(content.replaceAll(`${id} `, '')).toBe('');
      expect(await completions.messages(id, page)).toEqual({
        items: [{ id: `${id}-0`, role: 'user', content }],
        hasMore: false,
      });
      expect((await files.get(`file-${id}`))?.content).toEqual([{ key: `blob-${id}`, bytes: content.length }]);
    }
    // Consistency: a filter and a search find exactly the stored records, including those that were not acknowledged.
    for (const prefix of prefixes.flat()) {
      const metadata = { prefix };
      const found = await completions.list({ limit: 100_000, order: 'asc', metadata });
      const searched = await completions.list({ limit: 100_000, order: 'asc', search: parseSearch(prefix) });
      expect(searched?.items.map(({ id }) => id)).toEqual(found?.items.map(({ id }) => id));
      for (const { id, metadata: storedMetadata } of found?.items ?? [])
        expect(storedMetadata).toEqual({ ...metadata, id });
      expect(found?.items.map(({ id }) => id)).toEqual(
        expect.arrayContaining(acknowledged.filter((id) => id.startsWith(`${prefix}-`))),
      );
    }
    await stores.close();

    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(db.prepare('pragma foreign_key_check').all()).toEqual([]);
    const count = (sql: string) => db.prepare(sql).get()?.['n'];
    expect(count('select count(*) as n from completion_terms')).toBe(
      5 * Number(count('select count(*) as n from completions')),
    );
    expect(count('select count(*) as n from modelwire_completion_words_docsize')).toBe(
      count('select count(*) as n from completions'),
    );
    // No bytes are both reserved and referenced, none are referenced without their file, and results are counted once.
    expect(count('select count(*) as n from segments join blob_ledger using (blob_key)')).toBe(0);
    expect(count('select count(*) as n from segments where owner_id not in (select id from files)')).toBe(0);
    expect(count('select count(*) as n from segments')).toBe(count('select count(*) as n from files'));
    expect(count('select sum(completed_lines + failed_lines) as n from batches')).toBe(
      count('select count(*) as n from batch_results'),
    );
    db.close();
  },
);
