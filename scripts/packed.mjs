// Checks the manifest of every public package, packs it as for publishing, and checks the tarball with publint and attw.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestFaults } from './manifest-rules.mjs';
import { publishedPackages } from './workspace.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const into = mkdtempSync(join(tmpdir(), 'modelwire-packed-'));
let failed = 0;

/** Published files that are not entry points. */
const contents = {
  '@modelwire/console': [
    /^package\/built\/index\.html$/,
    /^package\/built\/assets\/index-[\w-]{8}\.js$/,
    /^package\/built\/licenses\.md$/,
  ],
  '@modelwire/server': [/^package\/built\/scalar\.js$/],
};

function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status === 0) return true;
  process.stdout.write(`${cwd ?? '.'}: ${command} ${args.join(' ')}\n${stdout}${stderr}\n`);
  return false;
}

for (const { folder, manifest } of publishedPackages(root)) {
  const faults = manifestFaults(root, folder, manifest);
  for (const fault of faults) process.stdout.write(`${folder}/package.json: ${fault}\n`);
  const before = new Set(readdirSync(into));
  if (!run('pnpm', ['pack', '--pack-destination', into], join(root, folder))) {
    failed++;
    continue;
  }
  const tarball = join(
    into,
    readdirSync(into).find((file) => !before.has(file)),
  );
  const listed = spawnSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).stdout.split('\n');
  const missing = (contents[manifest.name] ?? []).filter((path) => !listed.some((entry) => path.test(entry)));
  for (const path of missing) process.stdout.write(`${manifest.name}: its tarball does not contain ${path}\n`);
  const fine = [
    faults.length === 0,
    missing.length === 0,
    run('publint', ['--strict', tarball]),
    // A package with programs alone has no types.
    !manifest.publishConfig.exports || run('attw', ['--profile', 'esm-only', '--format', 'ascii', tarball]),
  ].every(Boolean);
  if (!fine) failed++;
  process.stdout.write(`${fine ? 'ok    ' : 'failed'}  ${manifest.name}\n`);
}
rmSync(into, { recursive: true });
if (failed > 0) {
  process.stdout.write(`${failed} packages are not ready to be published\n`);
  process.exitCode = 1;
}
