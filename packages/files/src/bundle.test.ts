import { bundle } from '@modelwire/vitest/bundle';
import { expect, test } from 'vitest';

const own = { name: '@modelwire/files', packageDir: new URL('..', import.meta.url) };

test('the client with its dependencies is under 6,656 bytes, minified and gzipped', async () => {
  const { gzipped } = await bundle(`export { createFiles } from '@modelwire/files'`, own);
  expect(gzipped).toBeLessThan(6656);
});

test('imports neither zod nor modules of Node', async () => {
  const { imports } = await bundle(`export * from '@modelwire/files'`, own);
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});
