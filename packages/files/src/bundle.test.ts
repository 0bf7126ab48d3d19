import { testClientBundle } from '@modelwire/vitest/client-bundle';

testClientBundle(import.meta.url, { name: '@modelwire/files', client: 'createFiles', maxBytes: 6656 });
