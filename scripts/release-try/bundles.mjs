// Bundles the published clients and checks that the bundles contain no Node.js module, no zod, and no unused code.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from './processes.mjs';

/** The clients: packages that run without Node.js and a server, and depend on core, schema and each other only. */
export function bundleSizes({ folder, toolFolder, published }) {
  const small = new Set(['@modelwire/core', '@modelwire/schema']);
  const clients = [];
  for (let grown = true; grown;) {
    grown = false;
    for (const { name, dependencies = {} } of published) {
      const inner = Object.keys(dependencies).filter((dependency) => dependency.startsWith('@modelwire/'));
      const client = inner.includes('@modelwire/core') && inner.every((dependency) => small.has(dependency));
      if (!client || small.has(name)) continue;
      small.add(name);
      clients.push(name);
      grown = true;
    }
  }
  const sizes = clients.map((name) => [name, bundle(folder, toolFolder, `export * from '${name}'`)]);
  const one = bundle(folder, toolFolder, `export { createModels } from '@modelwire/client'`);
  const whole = sizes.find(([name]) => name === '@modelwire/client')?.[1];
  if (whole !== undefined && one > whole / 2)
    throw new Error(`one resource of the client is ${one} B of ${whole}: no tree-shaking`);
  const said = sizes.map(([name, bytes]) => `${name.slice('@modelwire/'.length)} ${kilobytes(bytes)}`);
  return `${said.join(', ')}; createModels of client alone ${kilobytes(one)} (KB min+gzip, all exports)`;
}

const kilobytes = (bytes) => (bytes / 1000).toFixed(1);

function bundle(folder, toolFolder, contents) {
  const out = join(folder, 'out.js');
  const entry = join(folder, 'in.mjs');
  const meta = join(folder, 'meta.json');
  const make = `
    const { build } = require(${JSON.stringify(join(toolFolder, 'node_modules/esbuild'))});
    require('fs').writeFileSync(${JSON.stringify(entry)}, ${JSON.stringify(contents)});
    build({ entryPoints: [${JSON.stringify(entry)}], outfile: ${JSON.stringify(out)}, bundle: true, minify: true, format: 'esm',
      platform: 'browser', target: 'es2023', metafile: true, logLevel: 'error' })
      .then(({ metafile }) => require('fs').writeFileSync(${JSON.stringify(meta)}, JSON.stringify(metafile)), () => process.exit(1));`;
  run(process.execPath, ['--eval', make], { cwd: folder });
  const { inputs } = JSON.parse(readFileSync(meta, 'utf8'));
  const foreign = Object.keys(inputs).filter((path) => /node_modules\/(zod|undici)\//.test(path));
  const builtin = Object.values(inputs).flatMap(({ imports }) =>
    imports.filter(({ path }) => path.startsWith('node:')),
  );
  if (foreign.length + builtin.length > 0)
    throw new Error(`${contents} brings ${[...foreign, ...builtin.map(({ path }) => path)]}`);
  return gzipSync(readFileSync(out), { level: 9 }).length;
}
