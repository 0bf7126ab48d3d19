import { bundle } from '@modelwire/vitest/bundle';
import { testBundleSizes, testClientBundle } from '@modelwire/vitest/client-bundle';
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

testClientBundle(import.meta.url, { name: own.name, client: 'createChat', maxBytes: 9216 });

testBundleSizes(own, {
  "* from '@modelwire/chat'": 9216,
  "{ parse } from '@modelwire/chat/parse'": 3500,
  "{ streamParsed } from '@modelwire/chat/parse'": 4500,
  "{ runTools, tool } from '@modelwire/chat/tools'": 4500,
  "{ createPartialJson } from '@modelwire/chat/partial-json'": 1400,
  "{ imagePart, filePart, audioPart } from '@modelwire/chat/parts'": 1500,
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
