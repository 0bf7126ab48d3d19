// `npm run release:try`: a whole release to a registry on this machine, and what a stranger does then. A clone of the last commit is
// versioned, built and published by changesets; everything is installed from there into an empty project and run on several runtimes,
// through a bundler and in a browser. Nothing leaves the machine but requests for other people's packages. `--keep` keeps the folder.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm, run } from './release-try/processes.mjs';
import { freshProject } from './release-try/fresh-project.mjs';
import { startRegistry } from './release-try/registry.mjs';
import { manifestOf, publishedPackages } from './workspace.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'modelwire-release-'));
const clone = join(work, 'clone');
// What was built of the same sources and versions by an earlier trial is taken from there.
const cache = `--cache-dir=${join(root, '.turbo/cache')}`;
// Another repository may be tried than this one's last commit.
const source = process.argv.find((argument) => argument.startsWith('--source='))?.slice('--source='.length) ?? root;
const lines = [];
let failed = 0;

/** One line of the report: what it gave, how long it took, or why it failed. */
async function step(title, body) {
  const began = performance.now();
  const seconds = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
  try {
    const said = (await body()) ?? '';
    lines.push(['ran', title, seconds(), said]);
  } catch (error) {
    failed++;
    lines.push(['FAILED', title, seconds(), error.message]);
  }
  const [state, , took, said] = lines.at(-1);
  process.stdout.write(`${state.padEnd(7)}${took.padStart(8)}  ${title}${said === '' ? '' : `: ${said}`}\n`);
  return state === 'ran';
}

/** What everything after it needs. */
async function need(title, body) {
  if (!(await step(title, body))) await end();
}

async function end() {
  await registry?.stop();
  await project?.stop();
  if (process.argv.includes('--keep')) process.stdout.write(`kept in ${work}\n`);
  else rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  process.stdout.write(failed > 0 ? `${failed} of ${lines.length} steps failed\n` : `all ${lines.length} steps ran\n`);
  process.exit(failed > 0 ? 1 : 0);
}

let registry;
let project;
const go = (...args) =>
  run(process.execPath, [join(clone, 'scripts/go.mjs'), ...args], { cwd: clone, timeout: 1_200_000 });

/**
 * Every manifest of the clone names the trial's registry, so that nothing can go elsewhere; provenance is signed by the CI of a
 * host, which is not here.
 */
function pointAtRegistry() {
  for (const { folder, manifest } of publishedPackages(clone)) {
    manifest.publishConfig = { ...manifest.publishConfig, registry: registry.url, provenance: false };
    writeFileSync(join(clone, folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  writeFileSync(join(clone, '.npmrc'), registry.npmrc);
}

function publish() {
  pointAtRegistry();
  go('exec', 'changeset', 'publish', '--no-git-tag');
}

function versions() {
  const all = publishedPackages(clone);
  const unchanged = all.filter(({ manifest }) => manifest.version === '0.0.0').map(({ manifest }) => manifest.name);
  if (unchanged.length > 0) throw new Error(`no changeset speaks of ${unchanged.join(', ')}`);
  return `${all.length} packages`;
}

await need('a clone of the last commit, versioned by its changesets', () => {
  run('git', ['clone', '--quiet', source, clone]);
  go('exec', 'changeset', 'version');
  return versions();
});
await need(
  'built',
  () => void go('exec', 'turbo', 'run', 'build', '--output-logs=errors-only', '--filter=!./benchmarks', cache),
);
await need('verdaccio started', async () => {
  registry = await startRegistry(join(work, 'registry'));
  return registry.url;
});
const packages = existsSync(clone) ? publishedPackages(clone) : [];
await need('published', () => {
  publish();
  for (const { manifest } of packages) {
    const { name, version } = manifest;
    const there = npm(['view', `${name}@${version}`, 'version', '--registry', registry.url], work).trim();
    if (there !== version) throw new Error(`${name}@${version} is not in the registry`);
  }
  return `${packages.length} packages`;
});

project = await freshProject({ folder: join(work, 'fresh'), npmrc: registry.npmrc, packages, step, need });
await project.tryAll();

await step('a fix of one package, versioned, published, and taken by npm update', () => {
  const before = manifestOf(clone, 'packages/core').version;
  mkdirSync(join(clone, '.changeset'), { recursive: true });
  writeFileSync(join(clone, '.changeset/a-fix.md'), "---\n'@modelwire/core': patch\n---\n\nA fix.\n");
  go('exec', 'changeset', 'version');
  publish();
  const { version } = manifestOf(clone, 'packages/core');
  const again = publishedPackages(clone).filter(({ manifest, folder }) => {
    const old = packages.find((one) => one.folder === folder);
    return old && manifest.version !== old.manifest.version;
  });
  npm(['update', '--no-audit', '--no-fund', '--loglevel=error'], join(work, 'fresh'));
  const taken = manifestOf(join(work, 'fresh'), 'node_modules/@modelwire/core').version;
  if (taken !== version || taken === before) throw new Error(`npm update took ${taken}, not ${version}`);
  return `core ${before} became ${taken}; new versions: ${again.map(({ folder }) => folder).join(', ')}`;
});
await end();
