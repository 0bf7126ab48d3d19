import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ConsoleFile, ConsoleFiles } from '../options/types.ts';

const gzipAsync = promisify(gzip);

const mediaTypes: Readonly<Record<string, string>> = {
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
const compressibleTypes = /^text\/|json|svg/;

/**
 * The built console for `createServer({ console: consoleFiles(consoleDirectory) })`, where `consoleDirectory` is that of
 * `@modelwire/console`. Reads all files once, so that no request can access a file outside of the folder. Node only.
 *
 * @param directory Folder as a `file:` URL. If it is undefined or does not exist, there are no files, and `/console` shows how to install the console.
 */
export function consoleFiles(directory: URL | undefined): ConsoleFiles {
  const files = new Map<string, ConsoleFile>();
  if (directory === undefined) return files;
  const folderPath = fileURLToPath(directory);
  for (const relativePath of listFiles(folderPath)) {
    const path = join(folderPath, relativePath);
    if (!statSync(path).isFile() || relativePath.endsWith('.map')) continue;
    files.set(relativePath.split(sep).join('/'), createConsoleFile(relativePath, new Uint8Array(readFileSync(path))));
  }
  return files;
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function createConsoleFile(name: string, body: Uint8Array<ArrayBuffer>): ConsoleFile {
  const type = mediaTypes[extname(name)] ?? 'application/octet-stream';
  const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  if (!compressibleTypes.test(type) || body.byteLength < 1024) return { type, body, etag };
  let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return {
    type,
    body,
    etag,
    gzip: () => (compressed ??= gzipAsync(body, { level: 9 }).then((bytes) => new Uint8Array(bytes))),
  };
}
