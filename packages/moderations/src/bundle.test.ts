import { testClientBundle } from '@modelwire/vitest/client-bundle';

testClientBundle(import.meta.url, { name: '@modelwire/moderations', client: 'createModerations', maxBytes: 6144 });
