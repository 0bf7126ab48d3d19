import { realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** Whether a path is a folder or in it. Follows symbolic links; the last parts of both paths need not exist. */
export function isWithin(path: string, folder: string): boolean {
  return `${realPath(path)}${sep}`.startsWith(`${realPath(folder)}${sep}`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
