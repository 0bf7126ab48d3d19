import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openSqliteStores } from '@modelwire/store-sqlite';

/**
 * The names of files of blobs that are neither referenced by a file nor scheduled for deletion, read while no server runs. The names of partial
 * files have a suffix; the blob store removes them after a day.
 */
export async function unaccountedBlobs(data: string): Promise<string[]> {
  const stores = await openSqliteStores({ path: join(data, 'modelwire.sqlite') });
  const { files } = stores.project('default');
  const known = new Set(await stores.ledger.due({ withinMs: 2 * 86_400_000, limit: 100_000 }));
  const page = await files.list({ limit: 10_000, order: 'asc', now: 0 });
  for (const { id } of page?.items ?? []) for (const { key } of (await files.get(id))?.content ?? []) known.add(key);
  await stores.close();
  const names = readdirSync(join(data, 'blobs'), { recursive: true, encoding: 'utf8' }).map((path) => basename(path));
  return names.filter((name) => name.startsWith('blob_') && !known.has(name.split('.', 1)[0] ?? ''));
}
