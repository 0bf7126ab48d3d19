import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { lstat, mkdir, open, readdir, realpath, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FsBlobsError, codeOf } from './failure.ts';

export interface Place {
  readonly folder: string;
  readonly file: string;
}

/** The folders of a store: `path/3f/blob_…`, in 256 folders, and partial files in `path/unfinished/`. */
export interface Folder {
  /** Computes the folder and the file of a key, without file system access. */
  place(key: string): Place;
  /** Creates the folder if needed and makes it durable. */
  secure(folder: string): Promise<void>;
  /** Creates a file for a write in progress. */
  begin(key: string): Promise<{ readonly path: string; readonly handle: FileHandle }>;
  /** Removes partial files without a write for this long: their processes are dead. */
  sweep(olderThanMs: number): Promise<void>;
}

const forThisUser = { folder: 0o700, file: 0o600 };

export async function openFolder(path: string): Promise<Folder> {
  const made = await mkdir(path, { recursive: true, mode: forThisUser.folder });
  // The path may contain symbolic links, which the operator created; below it none is followed.
  const root = await realpath(path);
  if (made !== undefined) for (let at = root; at.length >= made.length; at = dirname(at)) await syncFolder(dirname(at));
  const unfinished = join(root, 'unfinished');
  const secured = new Map<string, Promise<void>>();

  async function makeSubfolder(folder: string): Promise<void> {
    await mkdir(folder, { mode: forThisUser.folder }).catch(ignoring('EEXIST'));
    await requireFolder(folder);
    // Another process may have created it without syncing yet, so each process syncs it.
    await syncFolder(root);
  }

  function secure(folder: string): Promise<void> {
    let securing = secured.get(folder);
    if (!securing) {
      securing = makeSubfolder(folder);
      secured.set(folder, securing);
      securing.catch(() => secured.delete(folder));
    }
    return securing;
  }

  await secure(unfinished);
  return {
    secure,
    place(key) {
      // A hash distributes keys evenly, whatever their form.
      const folder = join(root, createHash('sha256').update(key).digest('hex').slice(0, 2));
      return { folder, file: join(folder, key) };
    },
    async begin(key) {
      const path = join(unfinished, `${key}.${randomBytes(8).toString('hex')}`);
      return { path, handle: await open(path, 'wx', forThisUser.file) };
    },
    async sweep(olderThanMs) {
      const limit = Date.now() - olderThanMs;
      for (const name of await readdir(unfinished)) {
        const file = join(unfinished, name);
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

export function ignoring(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes(codeOf(error) ?? '')) throw error;
  };
}
