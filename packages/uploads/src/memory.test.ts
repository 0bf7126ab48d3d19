import { execFile } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const MB = 1024 ** 2;

/** Runs in a separate process, in which the garbage collector can be called. Prints the maximum of live bytes. */
const script = (path: string): string => `
  import { createServer } from 'node:http';
  import { createUploads } from ${JSON.stringify(new URL('index.ts', import.meta.url).href)};
  import { fileFromPath, nodeMd5 } from ${JSON.stringify(new URL('node.ts', import.meta.url).href)};
  let received = 0, most = 0;
  const sink = createServer((request, response) => {
    request.on('data', ({ length }) => {
      const step = received >> 23;
      received += length;
      if (received >> 23 === step) return;
      // The second collection waits for the background work of the first.
      gc();
      gc();
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end('{"id":"x","expires_at":1}');
    });
  }).listen(0, async () => {
    const uploads = createUploads({ baseURL: 'http://127.0.0.1:' + sink.address().port + '/v1' });
    const source = await fileFromPath(${JSON.stringify(path)});
    await uploads.upload({ ...source, purpose: 'batch', partSize: 4 * ${MB}, md5: nodeMd5 });
    console.log(JSON.stringify({ received, most }));
    sink.closeAllConnections();
    sink.close();
  });
`;

test('only the parts being sent are in memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'modelwire-uploads-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'large');
  await writeFile(path, '');
  await truncate(path, 256 * MB);
  const flags = ['--no-warnings', '--expose-gc', '--input-type=module-typescript', '--eval', script(path)];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  const { received, most } = JSON.parse(stdout) as { received: number; most: number };
  expect(received).toBeGreaterThan(256 * MB);
  expect(most).toBeGreaterThan(0);
  // Four parts of 4 MB, and the buffers of the sockets.
  expect(most).toBeLessThan(40 * MB);
});
