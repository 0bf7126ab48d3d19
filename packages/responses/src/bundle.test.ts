import { testBundleSizes, testClientBundle } from '@modelwire/vitest/client-bundle';
import { bundle } from '@modelwire/vitest/bundle';
import { expect, test } from 'vitest';

const name = '@modelwire/responses';
const own = {
  name,
  packageDir: new URL('..', import.meta.url),
  entries: { '.': 'src/index.ts', './parse': 'src/parse/index.ts', './tools': 'src/tools/index.ts' },
};

testClientBundle(import.meta.url, { name, client: 'createResponses', maxBytes: 8192 });

test.each(['createEmbeddings', 'createCompletions', 'createConversations'])(
  '%s does not bundle the client of responses',
  async (client) => {
    const { modules } = await bundle(`export { ${client} } from '${name}'`, own);
    expect(modules.filter((path) => /^src\/(client|stream|accumulate)\.ts$/.test(path))).toEqual([]);
  },
);

testBundleSizes(own, {
  "{ parse } from '@modelwire/responses/parse'": 3500,
  "{ streamParsed } from '@modelwire/responses/parse'": 4500,
  "{ runTools, tool } from '@modelwire/responses/tools'": 4700,
});
