// `npm run release:try`: rehearses a release with a registry on this machine. Changesets versions, builds and publishes a clone of the last
// commit; the packages are then installed into an empty project and run on several runtimes, with a bundler and in a browser. Only
// third-party packages are requested from the network. `--keep` keeps the folder.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm, run } from './release-try/processes.mjs';
import { freshProject } from './release-try/fresh-project.mjs';
import { checkForJsr } from './release-try/jsr.mjs';
import { startRegistry } from './release-try/registry.mjs';
import { manifestOf, publishedPackages } from './workspace.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'modelwire-release-'));
const clone = join(work, 'clone');
// Uses the build cache of earlier runs.
const cache = `--cache-dir=${join(root, '.turbo/cache')}`;
// Another repository can be given as an argument.
const source = process.argv.find((argument) => argument.startsWith('--source='))?.slice('--source='.length) ?? root;
const lines = [];
let failed = 0;

/** Runs one step and prints its result, duration, or error. */
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

/** A step that the following steps need: ends the run if it fails. */
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
 * Sets the registry in every manifest of the clone, so that nothing is published elsewhere. Turns off provenance, which only the CI of a host
 * can sign.
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
  if (unchanged.length > 0) throw new Error(`no changeset mentions ${unchanged.join(', ')}`);
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
await step('the sources of the packages without Node.js, as JSR checks them', () =>
  checkForJsr({ clone, fresh: join(work, 'fresh'), folder: join(work, 'jsr'), packages, deno: project.deno }),
);

await step('the server as a single executable', () => {
  const [program, size] = go('exec', 'node', 'scripts/executable.mjs', '--out', join(work, 'executable')).split(': ');
  const version = run(program, ['--version'], { cwd: work, env: { XDG_CACHE_HOME: join(work, 'cache') } }).trim();
  const expected = manifestOf(clone, 'apps/server').version;
  if (version !== expected) throw new Error(`it has the version ${version} instead of ${expected}`);
  return `${version}, ${size.trim()}`;
});

await step('a fix of one package, versioned, published, and installed by npm update', () => {
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
  if (taken !== version || taken === before) throw new Error(`npm update installed ${taken} instead of ${version}`);
  return `core ${before} became ${taken}; new versions: ${again.map(({ folder }) => folder).join(', ')}`;
});
await end();
