import { unlink } from 'node:fs/promises';
import { ignoring, requireFolder, syncFolder } from './folder.ts';
import type { Folder } from './folder.ts';

/** Those that are not there are no error. Whoever is told that the others are removed forgets them: none comes back after a power cut. */
export async function removeBlobs(folder: Folder, keys: readonly string[]): Promise<void> {
  const byFolder = Map.groupBy(
    keys.map((key) => folder.place(key)),
    (place) => place.folder,
  );
  for (const [subfolder, places] of byFolder) {
    try {
      await requireFolder(subfolder);
      for (const { file } of places) await unlink(file).catch(ignoring('ENOENT'));
      await syncFolder(subfolder);
    } catch (error) {
      ignoring('ENOENT')(error);
    }
  }
}
