import { testClientBundle } from '@modelwire/vitest/client-bundle';
import { bundle } from '@modelwire/vitest/bundle';
import { expect, test } from 'vitest';

const name = '@modelwire/responses';
testClientBundle(import.meta.url, { name, client: 'createResponses', maxBytes: 8192 });

test.each(['createEmbeddings', 'createCompletions', 'createConversations'])(
  '%s does not bundle the client of responses',
  async (client) => {
    const own = { name, packageDir: new URL('..', import.meta.url) };
    const { modules } = await bundle(`export { ${client} } from '${name}'`, own);
    expect(modules.filter((path) => /^src\/(client|stream|accumulate)\.ts$/.test(path))).toEqual([]);
  },
);

test.each([
  ['parse', 'parse', 3500],
  ['parse', 'streamParsed', 4500],
  ['tools', 'runTools, tool', 4700],
])('%s { %s } adds under %i bytes to the client, without zod and modules of Node', async (entry, names, budget) => {
  const entries = { './parse': 'src/parse/index.ts', './tools': 'src/tools/index.ts' };
  const own = { name, packageDir: new URL('..', import.meta.url), entries };
  const { gzipped, imports } = await bundle(`export { ${names} } from '${name}/${entry}'`, own);
  console.log(`${entry} { ${names} }: ${gzipped} B min+gzip of ${budget}`);
  expect(gzipped).toBeLessThan(budget);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});
