// Installs all packages from the registry into an empty project and runs them, as a new user does.
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inBrowser } from './browser.mjs';
import { bundleSizes } from './bundles.mjs';
import { npm, printed, run, start } from './processes.mjs';

const programs = fileURLToPath(new URL('programs', import.meta.url));
// Runtimes that npm distributes, and esbuild as the bundler of a web app.
const tools = {
  node22: 'npm:node@22',
  node24: 'npm:node@24',
  node26: 'npm:node@26',
  bun: '1',
  deno: '2',
  esbuild: '0.28.2',
};
const compilers = { typescript6: '6.0.3', typescript7: '7.0.2' };

export async function freshProject({ folder, npmrc, packages, step, need }) {
  const toolFolder = `${folder}-tools`;
  const names = packages.map(({ manifest }) => manifest.name);
  const published = packages.map(({ manifest }) => manifest);
  const running = [];
  let server;

  async function prepare() {
    mkdirSync(folder, { recursive: true });
    mkdirSync(toolFolder, { recursive: true });
    writeFileSync(join(folder, '.npmrc'), npmrc);
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'fresh', version: '1.0.0', private: true, type: 'module' }),
    );
    writeFileSync(join(toolFolder, 'package.json'), JSON.stringify({ private: true, dependencies: tools }));
    for (const name of readdirSync(programs)) copyFileSync(join(programs, name), join(folder, name));
    await need('every package installed by npm into an empty project', () => {
      const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
      npm(['install', ...quiet, ...names], folder);
      const count = readFileSync(join(folder, 'package-lock.json'), 'utf8').match(/"node_modules\//g).length;
      return `${names.length} packages of the workspace, ${count - names.length} others, ${megabytes(join(folder, 'node_modules'))} MB`;
    });
    await need('Node 22, 24, 26, Bun, Deno and esbuild from npm', () => {
      npm(['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline'], toolFolder);
      return runtimes.map(({ name, command }) => `${name} ${run(command, ['--version']).split('\n')[0]}`).join(', ');
    });
    // npm does not install optional peers.
    const entries = published.flatMap((manifest) =>
      Object.keys(manifest.publishConfig.exports ?? {}).map((entry) => ({
        specifier: manifest.name + entry.slice(1),
        optional: Object.keys(manifest.peerDependencies ?? {}),
      })),
    );
    writeFileSync(join(folder, 'entries.json'), JSON.stringify(entries));
  }

  const tool = (path) => join(toolFolder, 'node_modules', path);
  const runtimes = [
    ...['22', '24', '26'].map((version) => ({ name: 'Node', command: tool(`node${version}/bin/node`), before: [] })),
    { name: 'Bun', command: tool('.bin/bun'), before: [] },
    // Deno needs explicit permissions; it reads node_modules of a project with a package.json.
    { name: 'Deno', command: tool('.bin/deno'), before: ['run', '--allow-all', '--node-modules-dir=manual'] },
  ];
  const label = ({ name, command }) =>
    `${name} ${run(command, ['--version'])
      .replace(/^(v|deno )/, '')
      .split('.')[0]
      .trim()}`;

  /** Starts the published server with the given Node.js; its URL and key. */
  async function serve(node, name) {
    const cwd = join(folder, `data-${name}`);
    mkdirSync(cwd);
    const log = join(cwd, 'server.log');
    const main = join(folder, 'node_modules/@modelwire/server-app/dist/main.js');
    const stop = start(node, [main], { cwd, log, env: { PORT: '0', MODELWIRE_API_KEYS: `release-try-key-${name}` } });
    running.push(stop);
    const url = await printed(log, /listens on (http:\S+)\/v1/);
    return { url, key: `release-try-key-${name}`, stop };
  }

  async function tryAll() {
    for (const runtime of runtimes) {
      const on = label(runtime);
      const program = (file, ...args) =>
        run(runtime.command, [...runtime.before, file, ...args], { cwd: folder }).trim();
      await step(`${on}: every entry point imported`, () => program('imports.mjs'));
      await step(`${on}: server kit and client in one process`, () => program('kit.mjs'));
      if (runtime.name === 'Node') {
        const version = on.replace(' ', '').toLowerCase();
        const started = await step(`${on}: the published server starts`, async () => {
          server = await serve(runtime.command, version);
        });
        if (!started) continue;
        await step(`${on}: the console of the published server, with a session`, () =>
          program('console.mjs', server.url, server.key),
        );
      }
      await step(`${on}: a chat, whole and streamed, with the published server`, () =>
        program('chat.mjs', `${server.url}/v1`, server.key),
      );
      await step(`${on}: responses, a run of a tool and embeddings with the published server`, () =>
        program('responses.mjs', `${server.url}/v1`, server.key),
      );
    }
    await step('a bill of materials in SPDX, with the licenses of all packages', () => billOfMaterials());
    await step('every program prints its help, by npx', () => helps());
    await step('npx @modelwire/server-app in an empty folder', () => {
      const empty = `${folder}-empty`;
      mkdirSync(empty);
      writeFileSync(join(empty, '.npmrc'), npmrc);
      // npx caches by name and version: without a new cache it would run the package of an earlier trial.
      const env = { npm_config_cache: join(empty, 'cache') };
      const said = run('npx', ['--yes', '@modelwire/server-app', '--help'], { cwd: empty, env });
      return said.split('\n')[0];
    });
    await step('the types of every entry point, by tsc without skipLibCheck', () => typesStandAlone());
    await step('a bundle for browsers by esbuild', () => bundleSizes({ folder, toolFolder, published }));
    await step('a chat in Chromium with the bundled client', () => inBrowser({ folder, toolFolder, server, start }));
  }

  function billOfMaterials() {
    const bill = JSON.parse(npm(['sbom', '--omit=dev', '--sbom-format=spdx'], folder));
    const materials = bill.packages.filter(({ name }) => name !== 'fresh');
    const missing = names.filter((name) => !materials.some((one) => one.name === name));
    if (missing.length > 0) throw new Error(`the bill lacks ${missing.join(', ')}`);
    const unlicensed = materials.filter(({ licenseDeclared }) => licenseDeclared === 'NOASSERTION');
    const ours = unlicensed.filter(({ name }) => names.includes(name));
    if (ours.length > 0) throw new Error(`no license: ${ours.map(({ name }) => name).join(', ')}`);
    const licenses = new Set(materials.map(({ licenseDeclared }) => licenseDeclared));
    return `${materials.length} packages: ${[...licenses].toSorted().join(', ')}`;
  }

  function helps() {
    const bins = published.flatMap(({ bin = {} }) => Object.keys(bin));
    for (const bin of bins) {
      const said = run('npx', ['--no', '--', bin, '--help'], { cwd: folder });
      if (!said.includes(bin)) throw new Error(`${bin} --help printed ${said}`);
    }
    return bins.join(', ');
  }

  function typesStandAlone() {
    const { length } = published;
    const lacking = published.map(({ peerDependencies = {} }) => Object.keys(peerDependencies)).flat();
    const peers = [...new Set(lacking)].map((name) => `${name}@${peerRange(published, name)}`);
    const typescript = Object.entries(compilers).map(([name, version]) => `${name}@npm:typescript@${version}`);
    npm(
      [
        'install',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
        '--prefer-offline',
        '--ignore-scripts',
        '@types/node@24',
        ...typescript,
        ...peers,
      ],
      folder,
    );
    const entries = JSON.parse(readFileSync(join(folder, 'entries.json'), 'utf8'));
    const source = entries.map(({ specifier }, at) => `export * as e${at} from '${specifier}';`).join('\n');
    writeFileSync(join(folder, 'consumer.ts'), `${source}\n`);
    const options = ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
    const lib = ['--lib', 'es2024,esnext.array,dom,dom.iterable,dom.asynciterable', '--skipLibCheck', 'false'];
    for (const name of Object.keys(compilers)) {
      const tsc = join(folder, 'node_modules', name, 'bin/tsc');
      try {
        run(process.execPath, [tsc, ...options, ...lib, '--pretty', 'false', 'consumer.ts'], { cwd: folder });
      } catch (error) {
        // Errors in declarations of dependencies do not count.
        const lines = error.message.split('\n').filter((line) => line.includes(': error TS'));
        const dependencies = /^node_modules\/(?!@modelwire\/)/;
        if (lines.length === 0 || !lines.every((line) => dependencies.test(line))) throw error;
      }
    }
    return `${entries.length} entry points of ${length} packages, TypeScript ${Object.values(compilers).join(' and ')}`;
  }

  await prepare();
  return { tryAll, deno: tool('.bin/deno'), stop: () => Promise.all(running.map((stop) => stop())) };
}

function peerRange(manifests, name) {
  return manifests.map(({ peerDependencies = {} }) => peerDependencies[name]).find((range) => range !== undefined);
}

function megabytes(folder) {
  const bytes = (path) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory()
      ? readdirSync(path).reduce((sum, name) => sum + bytes(join(path, name)), 0)
      : existsSync(path)
        ? statSync(path).size
        : 0;
  return Math.round(bytes(folder) / 1e6);
}
