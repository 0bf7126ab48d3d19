import { testClientBundle } from '@modelwire/vitest/client-bundle';

testClientBundle(import.meta.url, { name: '@modelwire/uploads', client: 'createUploads', maxBytes: 8192 });
