import { testClientBundle } from '@modelwire/vitest/client-bundle';

testClientBundle(import.meta.url, { name: '@modelwire/videos', client: 'createVideos', maxBytes: 7168 });
