import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const packageDir = fileURLToPath(new URL('..', import.meta.url));

/** What a bundler makes of an import of this package, for browsers. */
async function bundle(contents: string): Promise<{ gzipped: number; modules: string[]; imports: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: packageDir },
    alias: { '@modelwire/chat': `${packageDir}/src/index.ts` },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2023',
  });
  const output = Object.values(metafile.outputs)[0]!;
  const all = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  return {
    gzipped: gzipSync(outputFiles[0]!.contents, { level: 9 }).length,
    modules: Object.entries(output.inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
    imports: [...all, ...output.imports.map(({ path }) => path)],
  };
}

test('The client with all it needs is under 8 KB, minified and gzipped', async () => {
  const { gzipped } = await bundle(`export { createChat } from '@modelwire/chat'`);
  expect(gzipped).toBeLessThan(8192);
});

test('Neither zod nor anything of Node is in its import graph', async () => {
  const { imports } = await bundle(`export * from '@modelwire/chat'`);
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});

test('The accumulator alone brings nothing else', async () => {
  const { modules, gzipped } = await bundle(`export { createAccumulator } from '@modelwire/chat'`);
  expect(modules.sort()).toEqual(['src/accumulate.ts', 'src/pieces.ts']);
  expect(gzipped).toBeLessThan(1024);
});

test('An error class alone brings the errors only', async () => {
  const { modules } = await bundle(`export { RateLimitError } from '@modelwire/chat'`);
  expect(modules).toEqual([expect.stringMatching(/core\/src\/errors\.ts$/)]);
});
