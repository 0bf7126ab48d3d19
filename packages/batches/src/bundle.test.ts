import { bundle } from '@modelwire/vitest/bundle';
import { expect, test } from 'vitest';

const own = { name: '@modelwire/batches', packageDir: new URL('..', import.meta.url) };

test('the client with its dependencies is under 8,704 bytes, minified and gzipped', async () => {
  const { gzipped } = await bundle(`export { createBatches } from '@modelwire/batches'`, own);
  expect(gzipped).toBeLessThan(8704);
});

test('imports neither zod nor modules of Node', async () => {
  const { imports } = await bundle(`export * from '@modelwire/batches'`, own);
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
});
