// After tsc, in the folder of a package: joins the modules in dist into one file for each entry point and shared chunks, because Node.js
// takes about half a millisecond to load a module (docs/decisions/0023). Declarations and what other packages provide stay as they are.
// `--include` names a dependency of many modules that is joined with them. `--alias name=path` imports another package's joined copy of one.
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

// Of the package: the scripts of the workspace have no dependencies.
const { build } = createRequire(resolve('package.json'))('esbuild');
const dist = resolve('dist');
const { values } = parseArgs({
  options: {
    include: { type: 'string', multiple: true, default: [] },
    alias: { type: 'string', multiple: true, default: [] },
  },
});
const {
  sideEffects,
  publishConfig,
  dependencies = {},
  peerDependencies = {},
  optionalDependencies = {},
} = JSON.parse(readFileSync('package.json', 'utf8'));
const modules = globSync('dist/**/*.js').map((path) => resolve(path));
const sources = new Map(modules.map((path) => [path, readFileSync(path, 'utf8')]));

/** Modules that this package starts as threads or processes, by URLs relative to the module that starts them. */
function startedModules() {
  return [...sources]
    .filter(([, source]) => source.includes('import.meta.url'))
    .flatMap(([path, source]) =>
      [...source.matchAll(/(?<!\bfrom |\bimport\(|\bimport )'(\.{1,2}\/[^'\n]+\.js)'/g)].map(([, file]) =>
        join(dirname(path), file),
      ),
    )
    .filter((path) => sources.has(path));
}

const entryPoints = [
  ...Object.values(publishConfig.exports).map((target) => target.default),
  ...Object.values(publishConfig.bin ?? {}),
  ...(Array.isArray(sideEffects) ? sideEffects.filter((path) => path.startsWith('./dist/')) : []),
].map((path) => resolve(path));

/** Keeps `import.meta.url` the URL of the module before it was joined with others: files are found relative to it. */
const moduleUrls = {
  name: 'module-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const url = `__moduleUrl(${JSON.stringify(relative(dist, path))})`;
      return { contents: sources.get(path)?.replaceAll('import.meta.url', url), resolveDir: dirname(path) };
    });
  },
};

/** Leaves out zod's messages in languages other than English: 63 modules, 340 KB, which zod loads but does not use unless it is told to. */
const zodLocales = {
  name: 'zod-locales',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, ({ path }) => ({
      contents: "export { default as en } from './en.js';",
      resolveDir: dirname(path),
    }));
  },
};

function restoreModuleUrls(output, text) {
  return text.replaceAll(/__moduleUrl\("(.*?)"\)/g, (_, path) => {
    const from = relative(dirname(output), join(dist, path)).split(sep).join('/');
    return join(dist, path) === output ? 'import.meta.url' : `new URL("${from}", import.meta.url).href`;
  });
}

const dependencyNames = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
const external = dependencyNames
  .filter((name) => !values.include.includes(name))
  .flatMap((name) => [name, `${name}/*`]);

const { outputFiles } = await build({
  entryPoints: [...new Set([...entryPoints, ...startedModules()])],
  outdir: dist,
  outbase: dist,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  external,
  alias: Object.fromEntries(values.alias.map((alias) => alias.split('='))),
  format: 'esm',
  platform: 'node',
  target: 'es2023',
  // Text outside ASCII is escaped: V8 keeps the source of a module with one byte for each character then, instead of two.
  charset: 'ascii',
  plugins: [zodLocales, moduleUrls],
  write: false,
  logLevel: 'warning',
});

/** An aliased module has only some names of the dependency, and esbuild does not check the imports of external modules. */
async function checkAliased(text) {
  for (const path of values.alias.map((alias) => alias.split('=')[1])) {
    const names = Object.keys(await import(pathToFileURL(createRequire(resolve('package.json')).resolve(path)).href));
    for (const [, namespace] of text.matchAll(new RegExp(`import \\* as (\\w+) from "${path}"`, 'g'))) {
      for (const [, name] of text.matchAll(new RegExp(`\\b${namespace}\\.(\\w+)`, 'g')))
        if (!names.includes(name)) throw new Error(`${path} does not export ${name}`);
    }
  }
}

for (const { text } of outputFiles) await checkAliased(text);
for (const path of modules) rmSync(path);
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, restoreModuleUrls(path, text));
}
for (const name of values.include)
  copyFileSync(join('node_modules', name, 'LICENSE'), join(dist, `LICENSE-${name.replaceAll('/', '-')}`));
