import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { serve, startEvents } from '../test/server.ts';

test('the example of the README runs', async () => {
  const root = new URL('..', import.meta.url);
  const readme = await readFile(new URL('README.md', root), 'utf8');
  const server = await serve((response) => {
    startEvents(response);
    response.end('data: {"n":1}\n\ndata: {"n":2}\n\n');
  });
  const example = (/```ts\n([^]*?)```/.exec(readme)?.[1] ?? '')
    .replace('http://127.0.0.1:8787/v1', server.baseURL)
    .replace('sk-…', 'sk-1');
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--input-type=module-typescript', '--eval', example],
    { cwd: fileURLToPath(root) },
  );
  expect(stdout).toBe('{ n: 1 }\n{ n: 2 }\n');
  expect(stderr).toBe('StreamError The stream ended before [DONE]: the response is incomplete. req_1\n');
  expect(JSON.parse(server.received[0]?.body ?? '')).toMatchObject({ stream: true });
});
