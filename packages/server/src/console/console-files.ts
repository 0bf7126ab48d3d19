import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ConsoleFile, ConsoleFiles } from '../option-types.ts';

const compress = promisify(gzip);

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
};
/** Media types that are worth compressing. */
const compressible = /^text\/|json|svg/;

/**
 * The built console for `createServer({ console: consoleFiles(consoleDirectory) })`, where `consoleDirectory` is that of
 * `@modelwire/console`. Reads all files once, so that no request can name a file outside of the folder. Node only.
 *
 * @param directory Folder as a `file:` URL. Undefined, or a folder that does not exist: no files, and `/console` says so.
 */
export function consoleFiles(directory: URL | undefined): ConsoleFiles {
  const files = new Map<string, ConsoleFile>();
  if (directory === undefined) return files;
  const folder = fileURLToPath(directory);
  for (const name of namesIn(folder)) {
    const path = join(folder, name);
    if (!statSync(path).isFile() || name.endsWith('.map')) continue;
    files.set(name.split(sep).join('/'), fileOf(name, new Uint8Array(readFileSync(path))));
  }
  return files;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function fileOf(name: string, body: Uint8Array<ArrayBuffer>): ConsoleFile {
  const type = types[extname(name)] ?? 'application/octet-stream';
  const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  if (!compressible.test(type) || body.byteLength < 1024) return { type, body, etag };
  let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return {
    type,
    body,
    etag,
    gzip: () => (compressed ??= compress(body, { level: 9 }).then((bytes) => new Uint8Array(bytes))),
  };
}
