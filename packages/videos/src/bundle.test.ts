import { bundle } from '@modelwire/vitest/bundle';
import { expect, test } from 'vitest';

const own = { name: '@modelwire/videos', packageDir: new URL('..', import.meta.url) };

test('The client with all it needs is under 7,168 bytes, minified and gzipped', async () => {
  const { gzipped } = await bundle(`export { createVideos } from '@modelwire/videos'`, own);
  expect(gzipped).toBeLessThan(7168);
});

test('Neither zod nor anything of Node is in its import graph', async () => {
  const { imports } = await bundle(`export * from '@modelwire/videos'`, own);
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});
