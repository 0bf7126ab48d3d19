import { expect, test } from 'vitest';
import { createStoryboardEngine } from './index.ts';
import type { StoryboardOptions } from './index.ts';

test('has one model by default, with the sizes and lengths of the API, the defaults first', () => {
  const engine = createStoryboardEngine();
  expect([engine.name, engine.concurrency]).toEqual(['storyboard', 1]);
  expect(engine.models()).toEqual([
    {
      id: 'storyboard',
      created: 1_735_689_600,
      owned_by: 'modelwire',
      sizes: ['720x1280', '1280x720', '1024x1792', '1792x1024'],
      seconds: ['4', '8', '12'],
      maxSeconds: 120,
      inputReference: true,
      remix: true,
      extend: true,
      videoInput: false,
    },
  ]);
});

test.each<StoryboardOptions>([
  { model: '' },
  { concurrency: 0 },
  { framesPerSecond: 25 as 24 },
  { maxReferencePixels: 1.5 },
])('refuses the options %j', (options) => {
  expect(() => createStoryboardEngine(options)).toThrow(TypeError);
});
