import { bundle } from '@modelwire/vitest/bundle';
import { expect, test } from 'vitest';

const own = { name: '@modelwire/uploads', packageDir: new URL('..', import.meta.url) };

test('the client with its dependencies is under 8,192 bytes, minified and gzipped', async () => {
  const { gzipped } = await bundle(`export { createUploads } from '@modelwire/uploads'`, own);
  expect(gzipped).toBeLessThan(8192);
});

test('imports neither zod nor modules of Node', async () => {
  const { imports } = await bundle(`export * from '@modelwire/uploads'`, own);
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});
