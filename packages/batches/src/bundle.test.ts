import { testClientBundle } from '@modelwire/vitest/client-bundle';

testClientBundle(import.meta.url, { name: '@modelwire/batches', client: 'createBatches', maxBytes: 9000 });
