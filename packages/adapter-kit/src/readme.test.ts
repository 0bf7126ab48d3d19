import { runReadmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';

test('the example of the README runs and prints the documented output', async () => {
  const { stdout } = await runReadmeExample(import.meta.url);
  expect(stdout).toBe('{"pieces":[]}\n{"pieces":[{"text":"One two "}],"stoppedBy":"END"}\n');
});
