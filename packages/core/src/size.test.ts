import { testBundleSizes } from '@modelwire/vitest/client-bundle';

const own = { name: '@modelwire/core', packageDir: new URL('..', import.meta.url) };

testBundleSizes(own, {
  "{ createTransport, asStream } from '@modelwire/core'": 6000,
  "{ createTransport } from '@modelwire/core'": 5000,
  "{ createSseDecoder } from '@modelwire/core'": 1500,
  "{ encodeData, encodeComment, DONE_EVENT } from '@modelwire/core'": 300,
});
