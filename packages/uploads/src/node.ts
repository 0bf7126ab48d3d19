// For Node alone: files by their path, and its own MD5, which is the fastest and needs no further package.
import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Md5 } from './checksum.ts';

/** A file on disk as the `file` and `filename` of `upload`. Opened here, and read when its parts are sent. */
export async function fileFromPath(
  path: string,
  options: { readonly type?: string } = {},
): Promise<{ readonly file: Blob; readonly filename: string }> {
  return { file: await openAsBlob(path, options), filename: basename(path) };
}

/** The `md5` of `upload`, by `node:crypto`. */
export function nodeMd5(): Md5 {
  return createHash('md5');
}
