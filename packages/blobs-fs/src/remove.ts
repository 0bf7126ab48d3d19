import { unlink } from 'node:fs/promises';
import type { FsStorage } from './disk.ts';
import { ignoring, requireFolder, syncFolder } from './folder.ts';

const doing = 'bytes cannot be removed';

/** Missing keys are ignored. Callers forget removed keys, so none may reappear after a power failure. */
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
