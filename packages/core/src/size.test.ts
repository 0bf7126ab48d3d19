import { build } from 'esbuild';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

/** Size in bytes of a bundle with these exports, minified and gzipped. */
async function bundleSize(names: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${names} } from './index.ts'`, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength;
}

test.each([
  ['what a client with streams needs', 'createTransport, asStream', 6000],
  ['what a client without streams needs', 'createTransport', 5000],
  ['the decoder alone', 'createSseDecoder', 1500],
  ['the encoder alone', 'encodeData, encodeComment, DONE_EVENT', 300],
])('%s stays within its size budget', async (what, names, budget) => {
  const bytes = await bundleSize(names);
  console.log(`${what}: ${bytes} B min+gzip of ${budget}`);
  expect(bytes).toBeLessThanOrEqual(budget);
});
