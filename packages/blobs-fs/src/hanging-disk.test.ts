import type fs from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { open, readdir } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { blobKey, collected, generated } from '@modelwire/ports/testing';
import { openFsBlobs } from './fs-blobs.ts';
import { testFolder } from './testing/folder.ts';

/**
 * A network file system whose server is gone, simulated in `node:fs`: operations that start while it is frozen end only after
 * it is thawed. (A real one needs a kernel module and root.)
 */
const frozen = vi.hoisted(() => ({ thawed: undefined as PromiseWithResolvers<undefined> | undefined }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>();
  const freezable =
    <Args extends unknown[], Result>(operation: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await frozen.thawed?.promise;
      return operation(...args);
    };
  return { ...real, open: freezable(real.open), link: freezable(real.link), unlink: freezable(real.unlink) };
});

const handle = await open(import.meta.filename);
const handles = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();

/** These methods of open files freeze too. */
function freeze(...methods: readonly ('read' | 'write' | 'sync')[]): void {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  frozen.thawed = { promise, resolve, reject };
  for (const method of methods) {
    const real = handles[method] as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(handles, method).mockImplementation(async function (this: FileHandle, ...args: unknown[]) {
      await promise;
      return Reflect.apply(real, this, args) as never;
    });
  }
}
function thaw(): void {
  frozen.thawed?.resolve(undefined);
  frozen.thawed = undefined;
}
afterEach(() => {
  thaw();
  vi.restoreAllMocks();
});

const timeout = {
  name: 'FsBlobsError',
  code: 'ETIMEDOUT',
  outage: { dependency: 'blobs-fs', cause: 'timeout (ETIMEDOUT)' },
};

async function opened() {
  const path = await testFolder();
  const blobs = await openFsBlobs({ path, timeoutMs: 1000 });
  const files = async () => (await readdir(path, { recursive: true })).filter((name) => name.includes('blob_'));
  return { blobs, files };
}

test.each([
  ['opens no file', []],
  ['takes no bytes', ['write']],
  ['does not sync', ['sync']],
] as const)(
  'a write to a file system that %s fails as an outage and leaves nothing after it responds again',
  async (_, methods) => {
    const { blobs, files } = await opened();
    const key = blobKey();
    // The folder of the key exists.
    await blobs.write(key, generated(1));
    await blobs.remove([key]);
    const ended = vi.fn();
    async function* source() {
      try {
        // The file is open when the file system freezes.
        yield* generated(300_000);
        if (methods.length > 0) freeze(...methods);
        yield* generated(300_000);
      } finally {
        ended();
      }
    }
    if (methods.length === 0) freeze();
    await expect(blobs.write(key, source())).rejects.toMatchObject(timeout);
    if (methods.length > 0) expect(ended).toHaveBeenCalled();
    await blobs.close();
    thaw();
    await expect.poll(files).toEqual([]);
  },
);

test('a read fails as an outage, and succeeds when the file system responds again', async () => {
  const { blobs } = await opened();
  const key = blobKey();
  await blobs.write(key, generated(1_000_000));
  freeze();
  await expect(collected(blobs.read(key))).rejects.toMatchObject(timeout);
  thaw();
  expect(await collected(blobs.read(key))).toHaveLength(1_000_000);
  await blobs.close();
});

test('a removal fails as an outage, and may still take effect when the file system responds again', async () => {
  const { blobs, files } = await opened();
  const key = blobKey();
  await blobs.write(key, generated(10));
  freeze();
  await expect(blobs.remove([key])).rejects.toMatchObject(timeout);
  thaw();
  await expect.poll(files).toEqual([]);
  await blobs.remove([key]);
  await blobs.close();
});

test('a read in progress fails as an outage', async () => {
  const { blobs } = await opened();
  const key = blobKey();
  await blobs.write(key, generated(2_000_000));
  const reading = blobs.read(key)[Symbol.asyncIterator]();
  await reading.next();
  freeze('read');
  const rest = async () => {
    for (let next = await reading.next(); next.done !== true; next = await reading.next());
  };
  await expect(rest()).rejects.toMatchObject(timeout);
  await blobs.close();
});

test('while two operations hang, others fail immediately; they run again when one of the two ends', async () => {
  const { blobs } = await opened();
  const key = blobKey();
  await blobs.write(key, generated(10));
  freeze();
  await Promise.allSettled([collected(blobs.read(key)), collected(blobs.read(key))]);
  vi.useFakeTimers();
  // Immediate: no timeout elapses.
  await expect(collected(blobs.read(key))).rejects.toMatchObject(timeout);
  vi.useRealTimers();
  thaw();
  await expect
    .poll(() =>
      collected(blobs.read(key))
        .then((bytes) => bytes.length)
        .catch(String),
    )
    .toBe(10);
  await blobs.close();
});

test('rejects an invalid timeout', async () => {
  const path = await testFolder();
  for (const timeoutMs of [0, 1.5, Number.NaN, 3_600_001])
    await expect(openFsBlobs({ path, timeoutMs })).rejects.toThrow('timeoutMs must be an integer from 1 to 3600000');
});
