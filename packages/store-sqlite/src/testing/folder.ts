import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A path for the database of one test, in a folder that is removed after the test. */
export async function databasePath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-sqlite-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'store.db');
}
