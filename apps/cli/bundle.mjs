// Bundles the published program into CommonJS files: Node.js starts one file in half the time that a hundred modules take
// (docs/decisions/0010). The package installs no others.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node22.19',
  outdir: process.argv[2] ?? 'dist',
  metafile: true,
  // Installed separately, because they are large.
  external: ['@modelwire/conformance', '@modelwire/server-app', '@modelwire/testing'],
  logLevel: 'warning',
};
const commonJs = { ...shared, format: 'cjs', outExtension: { '.js': '.cjs' } };

/** Leaves a module in a file of its own, which is loaded when it is imported. */
const separate = (name) => ({
  name: `separate-${name}`,
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^\\./${name}\\.ts$`) }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: `./${name}.cjs`, external: true },
    ),
});
/** The upload client imports hash-wasm unless it is given an MD5, and this program gives it the one of node:crypto. */
const withoutHashWasm = {
  name: 'without-hash-wasm',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^hash-wasm$/ }, ({ path }) => ({ path, namespace: 'unused' }));
    onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'export const createMD5 = undefined;' }));
  },
};
// check-parameter contains the schemas of the API, which only /set needs.
const plugins = [separate('check-parameter'), withoutHashWasm];

const program = await build({
  ...commonJs,
  entryPoints: ['src/program.ts'],
  plugins,
  define: { 'import.meta.url': 'moduleURL' },
  banner: { js: "const moduleURL = require('node:url').pathToFileURL(__filename).href;" },
});
const checkParameter = await build({ ...commonJs, entryPoints: ['src/chat/check-parameter.ts'], minify: true });

// A file of its own: the compile cache must be enabled before the code that it caches is loaded.
await build({
  ...commonJs,
  entryPoints: ['src/main.ts'],
  supported: { 'dynamic-import': false },
  plugins: [separate('program')],
});

// The licenses of the libraries in the bundles require that their text is included.
const inputs = [program, checkParameter].flatMap(({ metafile }) => Object.keys(metafile.inputs));
const folders = new Set(inputs.flatMap((path) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []));
const licenses = [...folders].map((folder) => {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no license file.`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
});
writeFileSync(join(shared.outdir, 'THIRD-PARTY-LICENSES.txt'), licenses.join('\n\n'));
