import { bundle } from '@modelwire/vitest/bundle';
import { expect, test } from 'vitest';

const own = { name: '@modelwire/models', packageDir: new URL('..', import.meta.url) };

test('the client with its dependencies is under 5,120 bytes, minified and gzipped', async () => {
  const { gzipped } = await bundle(`export { createModels } from '@modelwire/models'`, own);
  expect(gzipped).toBeLessThan(5120);
});

test('imports neither zod nor modules of Node', async () => {
  const { imports } = await bundle(`export * from '@modelwire/models'`, own);
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});
