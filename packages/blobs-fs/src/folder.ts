import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat, mkdir, open, readdir, realpath, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isContentKey } from '@modelwire/adapter-kit';
import { FsBlobsError, errorCode } from './failure.ts';

export interface BlobPath {
  readonly folder: string;
  readonly file: string;
}

/** The folders of a store: `path/3f/blob_…`, in 256 folders, and partial files in `path/unfinished/`. */
export interface Folder {
  /** Computes the folder and the file of a key, without file system access. */
  resolvePath(key: string): BlobPath;
  /** Creates the folder if needed and makes it durable. */
  ensureFolder(folder: string): Promise<void>;
  /** Creates a file for a write in progress. */
  createTemporaryFile(key: string): Promise<{ readonly path: string; readonly handle: FileHandle }>;
  /** Whether there are no blobs. */
  isEmpty(): Promise<boolean>;
  /** Removes partial files without a write for this long: their processes are dead. */
  removeAbandoned(olderThanMs: number): Promise<void>;
}

const privateModes = { folder: 0o700, file: 0o600 };

export async function openFolder(path: string): Promise<Folder> {
  const firstCreated = await mkdir(path, { recursive: true, mode: privateModes.folder });
  // The path may contain symbolic links, which the operator created; below it none is followed.
  const root = await realpath(path);
  if (firstCreated !== undefined)
    for (let at = root; at.length >= firstCreated.length; at = dirname(at)) await syncFolder(dirname(at));
  const temporaryFolder = join(root, 'unfinished');
  const ensured = new Map<string, Promise<void>>();

  async function makeSubfolder(folder: string): Promise<void> {
    await mkdir(folder, { mode: privateModes.folder }).catch(ignoreErrors('EEXIST'));
    await requireFolder(folder);
    // Another process may have created it without syncing yet, so each process syncs it.
    await syncFolder(root);
  }

  function ensureFolder(folder: string): Promise<void> {
    let pending = ensured.get(folder);
    if (!pending) {
      pending = makeSubfolder(folder);
      ensured.set(folder, pending);
      pending.catch(() => ensured.delete(folder));
    }
    return pending;
  }

  await ensureFolder(temporaryFolder);
  return {
    ensureFolder,
    resolvePath(key) {
      // A hash distributes keys evenly, whatever their form.
      const folder = join(root, createHash('sha256').update(key).digest('hex').slice(0, 2));
      return { folder, file: join(folder, key) };
    },
    async createTemporaryFile(key) {
      const path = join(temporaryFolder, `${key}.${randomBytes(8).toString('hex')}`);
      return { path, handle: await open(path, 'wx', privateModes.file) };
    },
    async isEmpty() {
      for (const entry of await readdir(root, { withFileTypes: true })) {
        const isSubfolder = entry.isDirectory() && entry.name !== basename(temporaryFolder);
        if (isSubfolder && (await readdir(join(root, entry.name))).some(isContentKey)) return false;
      }
      return true;
    },
    async removeAbandoned(olderThanMs) {
      const limit = Date.now() - olderThanMs;
      for (const name of await readdir(temporaryFolder)) {
        const file = join(temporaryFolder, name);
        // Another process may remove it first.
        const { mtimeMs } = await lstat(file).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < limit) await unlink(file).catch(() => undefined);
      }
    },
  };
}

/** Symbolic links in the store are not followed: neither the file nor its folder may be one. */
export async function requireFolder(folder: string): Promise<void> {
  if ((await lstat(folder)).isDirectory()) return;
  throw new FsBlobsError('the path exists and is not a folder', { code: 'ENOTDIR' });
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows cannot open folders; NTFS journals names itself.
  if (process.platform === 'win32') return;
  const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function ignoreErrors(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes(errorCode(error) ?? '')) throw error;
  };
}
