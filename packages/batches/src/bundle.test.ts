import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const packageDir = fileURLToPath(new URL('..', import.meta.url));

/** What a bundler makes of an import of this package, for browsers. */
async function bundle(contents: string): Promise<{ gzipped: number; imports: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: packageDir },
    alias: { '@modelwire/batches': `${packageDir}/src/index.ts` },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
  });
  const all = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return { gzipped: gzipSync(outputFiles[0]!.contents, { level: 9 }).length, imports: all };
}

test('The client with all it needs is under 8,704 bytes, minified and gzipped', async () => {
  const { gzipped } = await bundle(`export { createBatches } from '@modelwire/batches'`);
  expect(gzipped).toBeLessThan(8704);
});

test('Neither zod nor anything of Node is in its import graph', async () => {
  const { imports } = await bundle(`export * from '@modelwire/batches'`);
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});
