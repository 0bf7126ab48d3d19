import { bundle } from '@modelwire/vitest/bundle';
import { expect, test } from 'vitest';

const own = {
  name: '@modelwire/chat',
  packageDir: new URL('..', import.meta.url),
  entries: {
    '.': 'src/index.ts',
    './parse': 'src/parse/index.ts',
    './tools': 'src/tools/index.ts',
    './partial-json': 'src/json/index.ts',
    './parts': 'src/parts/index.ts',
  },
};

test.each(['{ createChat }', '*'])('%s with its dependencies is under 8 KB, minified and gzipped', async (names) => {
  const { gzipped } = await bundle(`export ${names} from '@modelwire/chat'`, own);
  expect(gzipped).toBeLessThan(8192);
});

test('imports neither zod nor modules of Node', async () => {
  const { imports } = await bundle(`export * from '@modelwire/chat'`, own);
  expect(imports.length).toBeGreaterThan(10);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});

test.each([
  ['parse', 'parse', 3500],
  ['parse', 'streamParsed', 4500],
  ['tools', 'runTools, tool', 4500],
  ['partial-json', 'createPartialJson', 1400],
  ['parts', 'imagePart, filePart, audioPart', 1500],
])('%s { %s } adds under %i bytes to the client, without zod and modules of Node', async (entry, names, budget) => {
  const { gzipped, imports } = await bundle(`export { ${names} } from '@modelwire/chat/${entry}'`, own);
  console.log(`${entry} { ${names} }: ${gzipped} B min+gzip of ${budget}`);
  expect(gzipped).toBeLessThan(budget);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});

test('the client bundles none of schemas, tools and parts', async () => {
  const { modules } = await bundle(`export * from '@modelwire/chat'`, own);
  expect(modules.filter((path) => /src\/(?:parse|tools|json|parts)\//.test(path))).toEqual([]);
});

test('importing the accumulator bundles nothing else', async () => {
  const { modules, gzipped } = await bundle(`export { createAccumulator } from '@modelwire/chat'`, own);
  expect(modules.toSorted()).toEqual(['src/accumulate.ts', 'src/merge-delta.ts']);
  expect(gzipped).toBeLessThan(1024);
});

test('importing an error class bundles the errors only', async () => {
  const { modules } = await bundle(`export { RateLimitError } from '@modelwire/chat'`, own);
  expect(modules).toEqual([expect.stringMatching(/core\/src\/errors\.ts$/)]);
});
