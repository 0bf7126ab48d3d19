import { bundle } from '@modelwire/vitest/bundle';
import { expect, test } from 'vitest';

const own = {
  name: '@modelwire/client',
  packageDir: new URL('..', import.meta.url),
  entries: { '.': 'src/index.ts', './validate': 'src/validate/index.ts' },
};

test.each([
  ['The object with all resources', 'Modelwire', 22_200],
  ['All exports', '*', 22_520],
  ['The client of one resource', 'createModels', 5120],
  ['The clients of two resources', 'createChat, createModels', 9216],
])('%s, %s, is within its size budget, minified and gzipped: %i bytes', async (_, names, budget) => {
  const { gzipped } = await bundle(`export ${names === '*' ? names : `{ ${names} }`} from '@modelwire/client'`, own);
  console.log(`${names}: ${gzipped} B min+gzip of ${budget}`);
  expect(gzipped).toBeLessThan(budget);
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
