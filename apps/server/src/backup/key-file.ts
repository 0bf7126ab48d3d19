import { chmodSync, copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { checksumOfFile } from './checksum.ts';

/** The name of the file with the key that the server created at its first start. Its hash is in the database. */
export const keyFile = 'api-key';

/** Copies the key from the data folder. Resolves to its SHA-256, or to null if there is none. */
export async function copyKey(data: string, folder: string): Promise<string | null> {
  const [from, to] = [join(data, keyFile), join(folder, keyFile)];
  if (!existsSync(from)) return null;
  copyFileSync(from, to);
  chmodSync(to, 0o600);
  return checksumOfFile(to);
}
