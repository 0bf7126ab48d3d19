import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** SHA-256 in hex. */
export async function checksumOf(source: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of source) hash.update(piece);
  return hash.digest('hex');
}

/** SHA-256 of a file, in hex. */
export function checksumOfFile(path: string): Promise<string> {
  return checksumOf(createReadStream(path));
}
