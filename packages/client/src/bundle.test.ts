import { bundle } from '@modelwire/vitest/bundle';
import { testBundleSizes } from '@modelwire/vitest/client-bundle';
import { expect, test } from 'vitest';

const own = {
  name: '@modelwire/client',
  packageDir: new URL('..', import.meta.url),
  entries: { '.': 'src/index.ts', './validate': 'src/validate/index.ts' },
};

testBundleSizes(own, {
  "{ Modelwire } from '@modelwire/client'": 23_400,
  "* from '@modelwire/client'": 23_900,
  "{ createModels } from '@modelwire/client'": 5120,
  "{ createChat, createModels } from '@modelwire/client'": 9216,
});

test('imports neither zod, nor the schemas, nor modules of Node', async () => {
  const { imports } = await bundle(`export * from '@modelwire/client'`, own);
  expect(imports.length).toBeGreaterThan(50);
  expect(imports.filter((path) => /zod|^node:|src\/validate/.test(path))).toEqual([]);
});

test('imports zod and the schemas with validation', async () => {
  const { imports } = await bundle(`export { validator } from '@modelwire/client/validate'`, own);
  expect(imports).toContainEqual(expect.stringMatching(/zod/));
});

test('an unused resource is not in the bundle', async () => {
  const { modules } = await bundle(`export { createModels } from '@modelwire/client'`, own);
  expect(
    modules.filter((path) => /(?:chat|responses|batches|files|uploads|videos|moderations|client)\/src|^src/.test(path)),
  ).toEqual([]);
});

test('importing an error class bundles the errors only', async () => {
  const { modules } = await bundle(`export { RateLimitError } from '@modelwire/client'`, own);
  expect(modules).toEqual([expect.stringMatching(/core\/src\/errors\.ts$/)]);
});
