// Packs every public package as it would be published and lets publint and attw look at the tarballs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = ['packages', 'apps']
  .flatMap((parent) => readdirSync(parent).map((name) => join(parent, name)))
  .filter((folder) => existsSync(join(folder, 'package.json')));
const into = mkdtempSync(join(tmpdir(), 'modelwire-packed-'));
let failed = 0;

function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return true;
  process.stdout.write(`${cwd ?? '.'}: ${command} ${args.join(' ')}\n${stdout}${stderr}\n`);
  return false;
}

for (const folder of folders) {
  const { name, private: hidden } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (hidden) continue;
  const before = new Set(readdirSync(into));
  if (!run('pnpm', ['pack', '--pack-destination', into], folder)) {
    failed++;
    continue;
  }
  const tarball = join(
    into,
    readdirSync(into).find((file) => !before.has(file)),
  );
  const fine = [
    run('publint', ['--strict', tarball]),
    run('attw', ['--profile', 'esm-only', '--format', 'ascii', tarball]),
  ].every(Boolean);
  if (!fine) failed++;
  process.stdout.write(`${fine ? 'fine' : 'not right'}  ${name}\n`);
}
rmSync(into, { recursive: true });
if (failed > 0) {
  process.stdout.write(`${failed} packages are not ready to be published\n`);
  process.exitCode = 1;
}
