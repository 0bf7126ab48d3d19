import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { usageError } from './cli-error.ts';

const imageExtensions = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);

export const isImageName = (filename: string): boolean => imageExtensions.has(extname(filename).toLowerCase());

/** A file that is read while it is sent. @throws The error of `stat`, which names the reason; `openAsBlob` does not. */
export async function openFile(path: string, type = ''): Promise<Blob> {
  const found = await stat(path);
  if (!found.isFile()) throw usageError(`${path} is not a file.`);
  return openAsBlob(path, { type });
}
