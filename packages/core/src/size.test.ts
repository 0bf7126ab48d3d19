import { testBundleSizes } from '@modelwire/vitest/client-bundle';

const own = { name: '@modelwire/core', packageDir: new URL('..', import.meta.url) };

testBundleSizes(own, {
  "{ createTransport, asStream } from '@modelwire/core'": {
    purpose: 'what a client with streams needs',
    maxBytes: 6000,
  },
  "{ createTransport } from '@modelwire/core'": { purpose: 'what a client without streams needs', maxBytes: 5000 },
  "{ createSseDecoder } from '@modelwire/core'": { purpose: 'the decoder alone', maxBytes: 1500 },
  "{ encodeData, encodeComment, DONE_EVENT } from '@modelwire/core'": { purpose: 'the encoder alone', maxBytes: 300 },
});
