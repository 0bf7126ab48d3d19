import { readFileSync } from 'node:fs';

/** The version in package.json, which is in the parent folder of both `src` and `dist`. */
export const version = readVersion();

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '';
}
