import { expect, test } from 'vitest';
import { bundle } from './bundle.ts';
import type { Own } from './bundle.ts';

interface Budget {
  readonly maxBytes: number;
  /** What the exports are for, such as `the decoder alone`. */
  readonly purpose: string;
}

/** Tests that exports, such as `{ parse } from '…'`, are smaller than their budgets in bytes, and import neither zod nor modules of Node. */
export function testBundleSizes(own: Own, budgets: Readonly<Record<string, number | Budget>>): void {
  for (const [exports, budget] of Object.entries(budgets)) {
    const [maxBytes, label] =
      typeof budget === 'number' ? [budget, exports] : [budget.maxBytes, `${budget.purpose}: ${exports}`];
    test(`${label} is under ${maxBytes} bytes, minified and gzipped, without zod and modules of Node`, async () => {
      const { gzipped, imports } = await bundle(`export ${exports}`, own);
      console.log(`${label}: ${gzipped} B min+gzip of ${maxBytes}`);
      expect(gzipped).toBeLessThan(maxBytes);
      expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
    });
  }
}

/** Tests what a bundler makes of a client package. `testUrl`: `import.meta.url` of a test in `src`. */
export function testClientBundle(
  testUrl: string,
  { name, client, maxBytes }: { readonly name: string; readonly client: string; readonly maxBytes: number },
): void {
  const own = { name, packageDir: new URL('..', testUrl) };

  test(`${client} with its dependencies is less than ${maxBytes} bytes, minified and gzipped`, async () => {
    const { gzipped } = await bundle(`export { ${client} } from '${name}'`, own);
    expect(gzipped).toBeLessThan(maxBytes);
  });

  test('imports neither zod nor any module of Node', async () => {
    const { imports } = await bundle(`export * from '${name}'`, own);
    expect(imports.length).toBeGreaterThan(10);
    expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
  });
}
