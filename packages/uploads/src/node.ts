// For Node only: files by their path, and the MD5 of node:crypto, which is the fastest and needs no further package.
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Md5 } from './checksum.ts';

/** The `file` and `filename` options of `upload` for a file on disk. It is opened here, and read while its parts are sent. */
export async function fileFromPath(
  path: string,
  options: { readonly type?: string } = {},
): Promise<{ readonly file: Blob; readonly filename: string }> {
  return { file: await openAsBlob(path, options), filename: basename(path) };
}

/** The `md5` option of `upload`, by `node:crypto`. */
export function nodeMd5(): Md5 {
  return createHash('md5');
}
