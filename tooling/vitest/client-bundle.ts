import { expect, test } from 'vitest';
import { bundle } from './bundle.ts';

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
    expect(imports.length).toBeGreaterThan(5);
    expect(imports.filter((path) => /zod|^node:/.test(path))).toEqual([]);
  });
}
