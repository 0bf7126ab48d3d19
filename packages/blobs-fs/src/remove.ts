import { unlink } from 'node:fs/promises';
import type { FsStorage } from './disk.ts';
import { ignoreErrors, requireFolder, syncFolder } from './folder.ts';

const failureMessage = 'bytes cannot be removed';

/** Missing keys are ignored. Callers forget removed keys, so none may reappear after a power failure. */
export async function removeBlobs({ folder, disk }: FsStorage, keys: readonly string[]): Promise<void> {
  const byFolder = Map.groupBy(
    keys.map((key) => folder.resolvePath(key)),
    (path) => path.folder,
  );
  for (const [subfolder, paths] of byFolder) {
    try {
      await disk.run(failureMessage, () => requireFolder(subfolder));
      for (const { file } of paths) await disk.run(failureMessage, () => unlink(file).catch(ignoreErrors('ENOENT')));
      await disk.run(failureMessage, () => syncFolder(subfolder));
    } catch (error) {
      ignoreErrors('ENOENT')(error);
    }
  }
}
