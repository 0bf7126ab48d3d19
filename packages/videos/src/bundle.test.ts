import { bundle } from '@modelwire/vitest/bundle';
import { expect, test } from 'vitest';

const own = { name: '@modelwire/videos', packageDir: new URL('..', import.meta.url) };

test('the client with its dependencies is under 7,168 bytes, minified and gzipped', async () => {
  const { gzipped } = await bundle(`export { createVideos } from '@modelwire/videos'`, own);
  expect(gzipped).toBeLessThan(7168);
});

test('imports neither zod nor modules of Node', async () => {
  const { imports } = await bundle(`export * from '@modelwire/videos'`, own);
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});
