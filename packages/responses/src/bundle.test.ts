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
