import { basename, resolve } from 'node:path';
import { isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';

/** How users start this program: the repository runs it from source, and the single executable has unpacked it. */
export function startCommand(): string {
  if (isSea()) return basename(process.execPath);
  return import.meta.url.endsWith('.ts') ? 'npm start' : 'npx @modelwire/server-app';
}

/** Where the single executable finds packages that users install, if a message asks for one; otherwise nothing. */
export function packagesHint(message: string): string {
  if (!isSea() || !message.includes('npm install')) return '';
  // In it, this module is in <folder>/<version>/node_modules/@modelwire/server-app/src/start.
  const folder = resolve(fileURLToPath(import.meta.url), '../../../../../../..');
  return `This executable finds packages in ${folder}: npm install --prefix ${folder} <package>\n`;
}
