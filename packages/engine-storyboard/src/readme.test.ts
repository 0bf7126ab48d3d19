import { readFile } from 'node:fs/promises';
import { compileFunction } from 'node:vm';
import { expect, test } from 'vitest';
import { createStoryboardEngine } from './index.ts';

/** The example as a function of its imports and globals. */
type Run = (...values: unknown[]) => Promise<void>;

test('the example of the README renders a video and its images', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = (/```ts\n(.+?)```/s.exec(readme)?.[1] ?? '')
    .replace(/^import .*$/m, '')
    // The smallest video: other tests cover the size and length of the README.
    .replace(/width: 720,\s+height: 1280,\s+seconds: 4/, 'width: 64, height: 64, seconds: 0.2');
  const logged: unknown[][] = [];
  const run = compileFunction(`return (async () => {${example}})()`, ['createStoryboardEngine', 'console']) as Run;
  await run(createStoryboardEngine, { log: (...values: unknown[]) => logged.push(values) });
  expect(logged.filter(({ length }) => length === 3)).toEqual([
    ['thumbnail', 'image/webp', true],
    ['spritesheet', 'image/jpeg', true],
    ['video', 'video/mp4', true],
  ]);
  expect(logged.at(-1)).toEqual([100]);
});
