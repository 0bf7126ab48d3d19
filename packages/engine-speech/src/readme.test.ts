import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('The example of the README runs and prints what it says', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, example = ''] = /```ts\n([^]*?)```/.exec(readme) ?? [];
  const entry = new URL('index.ts', import.meta.url).href;
  const script = example.replace("'@modelwire/engine-speech'", JSON.stringify(entry));
  expect(script).toContain(entry);
  const cwd = await mkdtemp(join(tmpdir(), 'modelwire-readme-'));
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module-typescript', '--eval', script],
      {
        cwd,
      },
    );
    expect(stdout).toBe('true RIFF\n');
  } finally {
    await rm(cwd, { recursive: true });
  }
});
