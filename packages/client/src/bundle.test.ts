import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const packageDir = fileURLToPath(new URL('..', import.meta.url));

/** What a bundler makes of an import of this package, for browsers. */
async function bundle(contents: string): Promise<{ gzipped: number; modules: string[]; imports: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: packageDir },
    alias: {
      '@modelwire/client/validate': `${packageDir}/src/validate/index.ts`,
      '@modelwire/client': `${packageDir}/src/index.ts`,
    },
    // Comes when a checksum is asked for, as a file of its own.
    external: ['hash-wasm'],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
  });
  const output = Object.values(metafile.outputs)[0]!;
  return {
    gzipped: gzipSync(outputFiles[0]!.contents, { level: 9 }).length,
    modules: Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    imports: Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path)),
  };
}

test.each([
  ['The one object with every resource', 'Modelwire', 20_000],
  ['Everything that there is', '*', 20_000],
  ['The client of one resource', 'createModels', 5120],
  ['The clients of two', 'createChat, createModels', 9216],
])('%s, %s, is within its budget of bytes, minified and gzipped: %i', async (_, names, budget) => {
  const { gzipped } = await bundle(`export ${names === '*' ? names : `{ ${names} }`} from '@modelwire/client'`);
  console.log(`${names}: ${gzipped} B min+gzip of ${budget}`);
  expect(gzipped).toBeLessThan(budget);
});

test('Neither zod, nor the schemas, nor anything of Node is in its import graph', async () => {
  const { imports } = await bundle(`export * from '@modelwire/client'`);
  expect(imports.length).toBeGreaterThan(50);
  expect(imports.filter((path) => /zod|^node:|client\/src\/validate/.test(path))).toEqual([]);
});

test('They are where validation is asked for', async () => {
  const { imports } = await bundle(`export { validator } from '@modelwire/client/validate'`);
  expect(imports).toContainEqual(expect.stringMatching(/zod/));
});

test('A resource that is not named costs nothing', async () => {
  const { modules } = await bundle(`export { createModels } from '@modelwire/client'`);
  expect(modules.filter((path) => /(?:chat|batches|files|uploads|videos|moderations|client)\/src/.test(path))).toEqual(
    [],
  );
});

test('An error class alone brings the errors only', async () => {
  const { modules } = await bundle(`export { RateLimitError } from '@modelwire/client'`);
  expect(modules).toEqual([expect.stringMatching(/core\/src\/errors\.ts$/)]);
});
