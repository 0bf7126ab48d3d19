import { createHash, randomBytes } from 'node:crypto';
import { symlink, truncate, writeFile } from 'node:fs/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPartChecksums } from './create-part-checksums.ts';
import type { StoredPart } from '../../part-checksums.ts';
import type { Worker } from 'node:worker_threads';

const never = new AbortController().signal;
const upload = { project: 'project', upload: 'upload_a' };
const partBytes = 5_000_000;

async function stored(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'parts-'));
  const asked: string[] = [];
  const pathOf = (key: string): string => join(folder, key);
  const checksums = createPartChecksums((key) => {
    asked.push(key);
    return pathOf(key);
  });
  onTestFinished(async () => {
    await checksums.close();
    rmSync(folder, { recursive: true });
  });
  const contents = Array.from({ length: count }, () => randomBytes(partBytes));
  const parts = contents.map((content, index): StoredPart => ({
    id: `part_${index}`,
    segment: { key: `blob_${index}`, bytes: content.length },
  }));
  for (const [index, content] of contents.entries()) await writeFile(pathOf(`blob_${index}`), content);
  const md5 = (order: readonly number[]) => {
    const hash = createHash('md5');
    for (const index of order) hash.update(contents[index] ?? '');
    return hash.digest('hex');
  };
  const inOrder = (order: readonly number[]) => order.flatMap((index) => parts[index] ?? []);
  const arrive = (order: readonly number[]) => {
    for (const part of inOrder(order)) checksums.add(upload, `req_${part.id}`, part);
  };
  const expectAll = () => parts.map(({ id }) => checksums.expect(upload, `req_${id}`));
  return { checksums, parts, asked, pathOf, md5, inOrder, arrive, expectAll };
}

/** From now on, uploads of the project are hashed ahead. */
function hashAhead(checksums: ReturnType<typeof createPartChecksums>) {
  checksums.end({ ...upload, upload: 'upload_before' }, 'checked');
}

test('parts that were not hashed ahead are hashed when the digest is requested', async () => {
  const { checksums, md5, inOrder, arrive, asked } = await stored(3);
  arrive([0, 1, 2]);
  expect(asked).toEqual([]);
  expect(await checksums.digest(upload, inOrder([2, 0]), never)).toBe(md5([2, 0]));
  expect(asked).toEqual(['blob_2', 'blob_0']);
});

test('after an upload with a checksum, parts are hashed in the order in which they began, each once', async () => {
  const { checksums, md5, inOrder, arrive, expectAll, asked } = await stored(4);
  hashAhead(checksums);
  expectAll();
  arrive([1, 3]);
  expect(asked).toEqual([]);
  arrive([0]);
  expect(asked).toEqual(['blob_0', 'blob_1']);
  arrive([2]);
  expect(asked).toEqual(['blob_0', 'blob_1', 'blob_2', 'blob_3']);
  expect(await checksums.digest(upload, inOrder([0, 1, 2, 3]), never)).toBe(md5([0, 1, 2, 3]));
  expect(await checksums.digest(upload, inOrder([0, 1, 2, 3]), never)).toBe(md5([0, 1, 2, 3]));
  expect(asked).toHaveLength(4);
});

test('a part that failed is not waited for', async () => {
  const { checksums, md5, inOrder, arrive, expectAll, asked } = await stored(3);
  hashAhead(checksums);
  const [endFirst] = expectAll();
  arrive([1, 2]);
  expect(asked).toEqual([]);
  endFirst?.();
  expect(asked).toEqual(['blob_1', 'blob_2']);
  expect(await checksums.digest(upload, inOrder([1, 2]), never)).toBe(md5([1, 2]));
});

test('parts in another order than they were hashed are hashed again', async () => {
  const { checksums, md5, inOrder, arrive, expectAll } = await stored(3);
  hashAhead(checksums);
  expectAll();
  arrive([0, 1, 2]);
  expect(await checksums.digest(upload, inOrder([1, 0, 2]), never)).toBe(md5([1, 0, 2]));
  expect(await checksums.digest(upload, inOrder([0, 1]), never)).toBe(md5([0, 1]));
  expect(await checksums.digest(upload, inOrder([0, 1, 2]), never)).toBe(md5([0, 1, 2]));
});

test('after sixteen uploads without a checksum, parts are no longer hashed ahead', async () => {
  const { checksums, arrive, expectAll, asked } = await stored(2);
  hashAhead(checksums);
  for (let n = 0; n < 16; n++) checksums.end({ ...upload, upload: `upload_${n}` }, 'unchecked');
  expectAll();
  arrive([0, 1]);
  expect(asked).toEqual([]);
});

test('uploads are hashed ahead after those of any number of other projects', async () => {
  const { checksums, arrive, expectAll, asked } = await stored(2);
  for (let n = 0; n < 1000; n++) checksums.end({ project: `other_${n}`, upload: 'upload_before' }, 'checked');
  hashAhead(checksums);
  expectAll();
  arrive([0, 1]);
  expect(asked).toEqual(['blob_0', 'blob_1']);
});

test('uploads of another project are not hashed ahead', async () => {
  const { checksums, arrive, expectAll, asked } = await stored(2);
  checksums.end({ project: 'other', upload: 'upload_before' }, 'checked');
  expectAll();
  arrive([0, 1]);
  expect(asked).toEqual([]);
});

test('a storage without local files has no digest', async () => {
  const checksums = createPartChecksums(() => undefined);
  const part = { id: 'part_a', segment: { key: 'blob_a', bytes: 1 } };
  expect(await checksums.digest(upload, [part], never)).toBeUndefined();
});

test.each([
  ['is missing', () => Promise.resolve(), 'nothing'],
  ['is shorter', (path: string) => truncate(path, 10), 'blob_1'],
  ['is a symbolic link', (path: string) => symlink('blob_0', path), 'link'],
])('there is no digest if a file %s, and the next upload has one', async (_, spoil, key) => {
  const { checksums, parts, md5, inOrder, pathOf } = await stored(2);
  await spoil(pathOf(key));
  const spoilt = { id: 'part_spoilt', segment: { key, bytes: partBytes } };
  expect(await checksums.digest(upload, [...parts.slice(0, 1), spoilt], never)).toBeUndefined();
  expect(await checksums.digest({ ...upload, upload: 'upload_b' }, inOrder([0]), never)).toBe(md5([0]));
});

test('a digest is aborted when its client disconnects', async () => {
  const { checksums, inOrder, md5 } = await stored(3);
  const client = new AbortController();
  const digest = checksums.digest(upload, inOrder([0, 1, 2]), client.signal);
  client.abort(new Error('left'));
  await expect(digest).rejects.toThrow('left');
  expect(await checksums.digest(upload, inOrder([0, 1]), never)).toBe(md5([0, 1]));
});

test('uploads in progress have no digest if the thread fails, and those that begin later have one of a new thread', async () => {
  const { checksums, md5, inOrder, arrive, expectAll } = await stored(3);
  const threads: Worker[] = [];
  const onWorker = (worker: Worker): void => void threads.push(worker);
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  hashAhead(checksums);
  expectAll();
  arrive([0, 1]);
  await expect.poll(() => threads.length).toBe(1);
  const digest = checksums.digest({ ...upload, upload: 'upload_b' }, inOrder([0, 1, 2]), never);
  await threads[0]?.terminate();
  expect(await digest).toBeUndefined();
  arrive([2]);
  expect(await checksums.digest(upload, inOrder([0, 1, 2]), never)).toBeUndefined();
  expect(await checksums.digest({ ...upload, upload: 'upload_c' }, inOrder([1, 0]), never)).toBe(md5([1, 0]));
  expect(threads).toHaveLength(2);
});
