import type * as nodeFs from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openConnection } from './connection.ts';

const opened = vi.hoisted(() => new Map<number, string>());
const synced = vi.hoisted((): string[] => []);

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof nodeFs>();
  return {
    ...fs,
    openSync(path: string, ...rest: [string, number?]) {
      const file = fs.openSync(path, ...rest);
      opened.set(file, path);
      return file;
    },
    fsyncSync(file: number) {
      fs.fsyncSync(file);
      synced.push(opened.get(file) ?? '');
    },
  };
});

test('new folders of the file are durable before anything is written to it', () => {
  const root = mkdtempSync(join(tmpdir(), 'modelwire-connection-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const path = join(root, 'a', 'b', 'modelwire.sqlite');
  for (const expected of [[join(root, 'a'), root], []]) {
    synced.length = 0;
    openConnection({ path, writes: true, busyTimeoutMs: 100 }).close();
    expect(synced).toEqual(expected);
  }
});
