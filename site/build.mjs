// `npm run site`: builds the documentation of the last commit into site/dist/main, or with `--release` that of the release into site/dist/vX.Y.
// Versions that were built there before stay, and are in the menu of each. VitePress is no dependency of the workspace, because nothing else
// needs its 100 MB: it is installed in this folder, from a lockfile of its own. `SITE_BASE` is the path at which the site will be served
// (default `/`).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeMarkdown } from './markdown.mjs';
import { writePages } from './pages.mjs';
import { writeReference } from './reference.mjs';
import { addVersion, builtVersion } from './versions.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const site = join(folder, 'dist');
const siteBase = process.env.SITE_BASE ?? '/';
const { version, gitRef } = builtVersion;
const dist = join(site, version);
const base = `${siteBase}${version}/`;

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, SITE_BASE: siteBase, SITE_VERSION: version },
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const lockfile = createHash('sha256')
  .update(readFileSync(join(folder, 'package-lock.json')))
  .digest('hex');
const installed = join(folder, 'node_modules/.installed');
if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lockfile) {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(installed, lockfile);
}

writePages(join(folder, '.pages'), gitRef);
run(process.execPath, [join(folder, 'node_modules/vitepress/bin/vitepress.js'), 'build']);
writeMarkdown(join(folder, '.pages'), dist, base);
await writeReference(dist, base);
addVersion(site, builtVersion);
