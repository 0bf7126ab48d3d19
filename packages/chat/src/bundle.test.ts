import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const packageDir = fileURLToPath(new URL('..', import.meta.url));

/** What a bundler makes of an import of this package, for browsers. */
async function bundle(contents: string): Promise<{ gzipped: number; modules: string[]; imports: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: packageDir },
    alias: {
      '@modelwire/chat/parse': `${packageDir}/src/parse/index.ts`,
      '@modelwire/chat/tools': `${packageDir}/src/tools/index.ts`,
      '@modelwire/chat/partial-json': `${packageDir}/src/json/index.ts`,
      '@modelwire/chat/parts': `${packageDir}/src/parts/index.ts`,
      '@modelwire/chat': `${packageDir}/src/index.ts`,
    },
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

test.each([
  ['parse', 'parse', 3500],
  ['parse', 'streamParsed', 4500],
  ['tools', 'runTools, tool', 4500],
  ['partial-json', 'createPartialJson', 1400],
  ['parts', 'imagePart, filePart, audioPart', 1500],
])('%s { %s } is under %i bytes beside the client, with no zod and nothing of Node', async (entry, names, budget) => {
  const { gzipped, imports } = await bundle(`export { ${names} } from '@modelwire/chat/${entry}'`);
  console.log(`${entry} { ${names} }: ${gzipped} B min+gzip of ${budget}`);
  expect(gzipped).toBeLessThan(budget);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});

test('The client brings none of schemas, tools and parts', async () => {
  const { modules } = await bundle(`export * from '@modelwire/chat'`);
  expect(modules.filter((path) => /src\/(?:parse|tools|json|parts)\//.test(path))).toEqual([]);
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
