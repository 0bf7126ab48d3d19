// `npm run site`: builds the documentation site into site/dist. VitePress is no dependency of the workspace, because nothing else needs its
// 100 MB: it is installed in this folder, from a lockfile of its own. `SITE_BASE` is the path at which the site will be served (default `/`).
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeMarkdown } from './markdown.mjs';
import { writePages } from './pages.mjs';
import { writeReference } from './reference.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const dist = join(folder, 'dist');
const base = process.env.SITE_BASE ?? '/';

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, SITE_BASE: base },
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

writePages(join(folder, '.pages'));
run(process.execPath, [join(folder, 'node_modules/vitepress/bin/vitepress.js'), 'build']);
writeMarkdown(join(folder, '.pages'), dist, base);
await writeReference(dist, base);
