import { buildPackage } from '@modelwire/vitest/built-package';
import { expect, test } from 'vitest';

test('the built package finds its renderer as JavaScript', async () => {
  const built = await buildPackage(import.meta.url);
  const script = `
    const { createStoryboardEngine } = await import(${JSON.stringify(`${built.folder}/index.js`)});
    const job = { id: 'video_1', model: 'storyboard', prompt: 'a boat', width: 144, height: 256, seconds: 0.25, seed: 1 };
    const saved = [];
    await createStoryboardEngine().render(job, {
      signal: new AbortController().signal,
      progress() {},
      async save(variant) { saved.push(variant); },
    });
    console.log(saved.join());`;
  const { stdout, stderr } = await built.run(script);
  expect({ stdout, stderr }).toEqual({ stdout: 'thumbnail,spritesheet,video\n', stderr: '' });
});
