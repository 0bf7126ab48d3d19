// Bundles the published program into one CommonJS file: Node.js starts it in half the time that a hundred modules take
// (docs/decisions/0010). The package therefore has no dependencies.
import { build } from 'esbuild';

const shared = {
  bundle: true,
  platform: 'node',
  target: 'node22.19',
  outdir: process.argv[2] ?? 'dist',
  // Installed separately, because they are large. hash-wasm is never reached: uploads use the MD5 of node:crypto.
  external: ['@modelwire/conformance', '@modelwire/server-app', '@modelwire/testing', 'hash-wasm'],
  logLevel: 'warning',
};
const commonJs = { ...shared, format: 'cjs', outExtension: { '.js': '.cjs' } };

await build({
  ...commonJs,
  entryPoints: ['src/program.ts'],
  define: { 'import.meta.url': 'moduleURL' },
  banner: { js: "const moduleURL = require('node:url').pathToFileURL(__filename).href;" },
});

// A file of its own: the compile cache must be enabled before the code that it caches is loaded.
await build({
  ...commonJs,
  entryPoints: ['src/main.ts'],
  supported: { 'dynamic-import': false },
  plugins: [
    {
      name: 'program',
      setup: ({ onResolve }) =>
        onResolve({ filter: /^\.\/program\.ts$/ }, () => ({ path: './program.cjs', external: true })),
    },
  ],
});

// For programs that import `run`.
await build({ ...shared, format: 'esm', entryPoints: ['src/index.ts'] });
