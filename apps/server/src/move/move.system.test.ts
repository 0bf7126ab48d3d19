import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { toFile } from 'openai';
import { openPostgresStores } from '@modelwire/store-postgres';
import { openSqliteStores } from '@modelwire/store-sqlite';
import { temporaryFolder } from '@modelwire/vitest/temporary-folder';
import { expect, test, vi } from 'vitest';
import { readSettings } from '../config/settings.ts';
import { start } from '../start/start.ts';
import { createBatch, inputLine, linesOf } from '../testing/batch-input.ts';
import { countingConfig, countingUpstream } from '../testing/counting-upstream.ts';
import { fillEveryTable } from '../testing/every-table.ts';
import { startProcess } from '../testing/process.ts';
import { onDisk, settingsOf, useStorages } from '../testing/storages.ts';
import type { Variables } from '../testing/storages.ts';
import { clientOf } from '../testing/test-server.ts';
import { exportTo } from './export.ts';
import { importFrom } from './import.ts';

const storages = useStorages();

async function storedBytes(env: Variables): Promise<number> {
  const url = env['MODELWIRE_DATABASE_URL'];
  const stores = await (url === undefined
    ? openSqliteStores({ path: join(env['MODELWIRE_DATA'] ?? '', 'modelwire.sqlite') })
    : openPostgresStores({ url }));
  try {
    return await stores.keys.storageBytes('default');
  } finally {
    await stores.close();
  }
}

test('running batches, open uploads and keys continue after the move, and after the move back', async () => {
  const upstream = await countingUpstream(20);
  const names = Array.from({ length: 200 }, (_, line) => `line-${line}`);
  const cwd = temporaryFolder();
  const config = countingConfig(upstream, { simulator: true, batchConcurrency: 4, jobLeaseMs: 1000 });
  writeFileSync(join(cwd, 'modelwire.config.json'), JSON.stringify(config));
  const environments = [onDisk(join(cwd, 'one')), await storages.replicated(), onDisk(join(cwd, 'two'))];
  let batch: string | undefined;
  let open: string | undefined;
  let part: string | undefined;
  let file: string | undefined;
  let completion: string | undefined;

  for (const [index, env] of environments.entries()) {
    const server = await startProcess(cwd, env);
    const client = clientOf(server.url);
    if (index === 0) {
      batch = (
        await createBatch(
          client,
          names.map((name) => inputLine(name, { model: 'counted' })),
        )
      ).id;
      const upload = { filename: 'a.txt', bytes: 8, mime_type: 'text/plain', purpose: 'user_data' } as const;
      open = (await client.uploads.create(upload)).id;
      part = (await client.uploads.parts.create(open, { data: await toFile(Buffer.from('one '), 'p') })).id;
      file = (await client.files.create({ file: await toFile(Buffer.from('kept'), 'k'), purpose: 'user_data' })).id;
      const messages = [{ role: 'user' as const, content: 'Hello' }];
      completion = (await client.chat.completions.create({ model: 'simulator', messages, store: true })).id;
    }
    const counts = async () => (await client.batches.retrieve(batch ?? '')).request_counts?.completed ?? 0;
    expect(await (await client.files.content(file ?? '')).text()).toBe('kept');
    expect(await client.chat.completions.retrieve(completion ?? '')).toMatchObject({ id: completion });
    const found = await client.chat.completions.list({}, { query: { search: 'hello' } });
    expect(found.data).toMatchObject([{ id: completion }]);
    if (index < 2) {
      await vi.waitFor(async () => expect(await counts()).toBeGreaterThan(40 * (index + 1)), 30_000);
    } else {
      await vi.waitFor(
        async () => expect(await client.batches.retrieve(batch ?? '')).toMatchObject({ status: 'completed' }),
        {
          timeout: 30_000,
          interval: 50,
        },
      );
      const { output_file_id } = await client.batches.retrieve(batch ?? '');
      const lines = await linesOf(client, output_file_id);
      expect(lines.map(({ custom_id }) => custom_id).toSorted()).toEqual(names.toSorted());
      const last = await client.uploads.parts.create(open ?? '', { data: await toFile(Buffer.from('more'), 'p') });
      const completed = await client.uploads.complete(open ?? '', { part_ids: [part ?? '', last.id] });
      expect(await (await client.files.content(completed.file?.id ?? '')).text()).toBe('one more');
    }
    server.kill('SIGKILL');
    await server.exited;
    const next = environments[index + 1];
    if (!next) continue;
    const folder = join(cwd, `export-${index}`);
    await exportTo(await readSettings(cwd, env), folder);
    const { parts } = await importFrom(await readSettings(cwd, next), folder);
    expect(parts.filter(({ isEqual }) => !isEqual)).toEqual([]);
    const bytes = await storedBytes(env);
    expect(bytes).toBeGreaterThan(0);
    expect(await storedBytes(next)).toBe(bytes);
  }
});

const run = promisify(execFile);
const killedImport = fileURLToPath(new URL('../testing/killed-import.ts', import.meta.url));

test.each(['SQLite', 'PostgreSQL'])('an import into %s that is killed with SIGKILL resumes', async (database) => {
  const [data, folder] = [temporaryFolder(), temporaryFolder()];
  await fillEveryTable(data, 40);
  const manifest = await exportTo(await settingsOf(onDisk(data)), join(folder, 'first'));
  const env = database === 'SQLite' ? onDisk() : await storages.replicated();
  for (const checkpoints of [1, 2, 9]) {
    const child = run(process.execPath, [killedImport, join(folder, 'first'), String(checkpoints)], {
      env: { PATH: process.env['PATH'], ...env },
    });
    await expect(child).rejects.toMatchObject({ signal: 'SIGKILL' });
  }
  const settings = await settingsOf(env);
  await expect(start(settings)).rejects.toThrow('An import into this database is not complete.');

  const checkpoints: string[] = [];
  const { parts } = await importFrom(settings, join(folder, 'first'), {
    onCheckpoint: (part) => checkpoints.push(part),
  });
  expect(parts.filter(({ isEqual }) => !isEqual)).toEqual([]);
  // It did not start over: the contents existed.
  expect(checkpoints).not.toContain('contents');
  const again = await exportTo(settings, join(folder, 'second'));
  expect(again.tables).toEqual(manifest.tables);
});
