// Writes `api/`, a report of the public types of each package; with --check prints the differences instead. Needs a build.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiReport } from './api-report.mjs';
import { publishedPackages } from './workspace.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const kept = join(root, 'api');
const check = process.argv.includes('--check');
const into = check ? mkdtempSync(join(tmpdir(), 'modelwire-api-')) : kept;
mkdirSync(into, { recursive: true });

const made = new Set();
for (const { folder, manifest } of publishedPackages(root)) {
  // A package with programs alone has no public types.
  if (!manifest.publishConfig.exports) continue;
  const file = `${manifest.name.replace(/^@.*\//, '')}.md`;
  made.add(file);
  writeFileSync(join(into, file), apiReport(join(root, folder)));
}
const old = existsSync(kept) ? readdirSync(kept).filter((file) => file.endsWith('.md')) : [];

if (check) {
  const changed = [...new Set([...made, ...old])].toSorted().filter((file) => {
    const [before, after] = [kept, into].map((folder) =>
      existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '',
    );
    if (before === after) return false;
    const sides = [kept, into].map((folder) => (existsSync(join(folder, file)) ? join(folder, file) : '/dev/null'));
    const { stdout } = spawnSync('git', ['diff', '--no-index', '--no-color', '-U2', ...sides], { encoding: 'utf8' });
    process.stdout.write(stdout.split('\n').slice(4).join('\n').replace(/^/, `api/${file}\n`));
    return true;
  });
  rmSync(into, { recursive: true });
  if (changed.length > 0) {
    process.stdout.write(
      `\nThe public types of ${changed.length} packages differ from their reports in api/. If this is intended, run npm run api and add a changeset.\n`,
    );
    process.exitCode = 1;
  }
} else {
  for (const file of old.filter((file) => !made.has(file))) rmSync(join(kept, file));
  process.stdout.write(`${made.size} reports in api/\n`);
}
