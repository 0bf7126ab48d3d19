import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);

test('the package as it is built finds its renderer, which is JavaScript then', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  // Inside the package, so that it finds what it depends on.
  const built = `${root}node_modules/.built-for-test`;
  onTestFinished(() => rm(built, { recursive: true, force: true }));
  const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  await run(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', built], { cwd: root });
  const script = `
    const { createStoryboardEngine } = await import(${JSON.stringify(`${built}/index.js`)});
    const job = { id: 'video_1', model: 'storyboard', prompt: 'a boat', width: 144, height: 256, seconds: 0.25, seed: 1 };
    const saved = [];
    await createStoryboardEngine().render(job, {
      signal: new AbortController().signal,
      progress() {},
      async save(variant) { saved.push(variant); },
    });
    console.log(saved.join());`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', script]);
  expect({ stdout, stderr }).toEqual({ stdout: 'thumbnail,spritesheet,video\n', stderr: '' });
});
