import { createHash } from 'node:crypto';
import { createWriteStream, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from './server.ts';
import type { Start } from './server.ts';

/** The baseline of an upload with a checksum: a body that is written to a file and hashed as it arrives. */
export const start: Start = () => {
  const folder = mkdtempSync(join(tmpdir(), 'md5-bench-'));
  return listen(
    createServer((request, response) => {
      const hash = createHash('md5');
      request.on('data', (bytes: Buffer) => hash.update(bytes));
      request.pipe(createWriteStream(join(folder, 'body'))).on('finish', () => response.end(hash.digest('hex')));
    }),
  );
};
