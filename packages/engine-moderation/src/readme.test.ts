import { evaluateExample, readmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';
import { createTextModeration } from './index.ts';

test('the example of the README prints the documented output', async () => {
  const example = await readmeExample(import.meta.url);
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(10);
  expect(example).toContain("import { createTextModeration } from '@modelwire/engine-moderation';\n");
  expect(await evaluateExample(example, { createTextModeration })).toEqual([[[false, true]]]);
});
