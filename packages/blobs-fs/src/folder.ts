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

/** Where the files of a store lie: `path/3f/blob_…`, in 256 folders, and those not yet whole in `path/unfinished/`. */
export interface Folder {
  /** The folder of the key and the file in it, without asking the disk. */
  place(key: string): Place;
  /** Makes sure that the folder is there, also after a power cut. */
  secure(folder: string): Promise<void>;
  /** Makes a file for bytes that are not whole. */
  begin(key: string): Promise<{ readonly path: string; readonly handle: FileHandle }>;
  /** Removes the unfinished files that nobody has written to for so long: their processes are dead. */
  sweep(olderThanMs: number): Promise<void>;
}

const forThisUser = { folder: 0o700, file: 0o600 };

export async function openFolder(path: string): Promise<Folder> {
  const made = await mkdir(path, { recursive: true, mode: forThisUser.folder });
  // The path may lead over links, which are the operator's; below it none is followed.
  const root = await realpath(path);
  if (made !== undefined) for (let at = root; at.length >= made.length; at = dirname(at)) await syncFolder(dirname(at));
  const unfinished = join(root, 'unfinished');
  const secured = new Map<string, Promise<void>>();

  async function makeSubfolder(folder: string): Promise<void> {
    await mkdir(folder, { mode: forThisUser.folder }).catch(ignoring('EEXIST'));
    await requireFolder(folder);
    // Another process may have made it and not come to this: each that relies on it sees to it.
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
      // A hash spreads keys whatever they look like.
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
        // Another process may sweep as well.
        const { mtimeMs } = await lstat(file).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < limit) await unlink(file).catch(() => undefined);
      }
    },
  };
}

/** Links in the store are not followed: not that of a file, not that of the folder it is in. */
export async function requireFolder(folder: string): Promise<void> {
  if ((await lstat(folder)).isDirectory()) return;
  throw new FsBlobsError('there is something else in the place of a folder', { code: 'ENOTDIR' });
}

/** Resolves when the names in a folder are on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders; NTFS keeps a log of names itself.
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
