import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Creates a folder and its parents if they are missing, accessible only to this user. Returns the first folder that was created. */
export function createFolder(path: string): string | undefined {
  const options = { recursive: true, mode: 0o700 } as const;
  try {
    return mkdirSync(path, options);
  } catch (error) {
    // Node.js reports ENOENT for a parent that cannot be created, such as on a read-only file system. Creating that parent gives the cause.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT')
      mkdirSync(firstMissing(path), { mode: 0o700 });
    throw error;
  }
}

function firstMissing(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? path : firstMissing(parent);
}
