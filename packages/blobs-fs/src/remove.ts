import { unlink } from 'node:fs/promises';
import type { FsStorage } from './disk.ts';
import { ignoring, requireFolder, syncFolder } from './folder.ts';

const doing = 'bytes cannot be removed';

/** Those that are not there are no error. Whoever is told that the others are removed forgets them: none comes back after a power cut. */
export async function removeBlobs({ folder, disk }: FsStorage, keys: readonly string[]): Promise<void> {
  const byFolder = Map.groupBy(
    keys.map((key) => folder.place(key)),
    (place) => place.folder,
  );
  for (const [subfolder, places] of byFolder) {
    try {
      await disk.run(doing, () => requireFolder(subfolder));
      for (const { file } of places) await disk.run(doing, () => unlink(file).catch(ignoring('ENOENT')));
      await disk.run(doing, () => syncFolder(subfolder));
    } catch (error) {
      ignoring('ENOENT')(error);
    }
  }
}
