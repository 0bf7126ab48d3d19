import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { createTextModeration } from './index.ts';

/** A function of source text that may await. */
type Compile = new (...namesAndBody: string[]) => (...values: unknown[]) => Promise<void>;

test('the example of the README runs as it stands and prints what it says', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1]?.trim() ?? '';
  expect(example.split('\n').length).toBeLessThanOrEqual(10);
  const imports = "import { createTextModeration } from '@modelwire/engine-moderation';\n";
  expect(example.startsWith(imports)).toBe(true);
  const { constructor } = Object.getPrototypeOf(async () => undefined) as { constructor: unknown };
  const log = vi.fn();
  const run = new (constructor as Compile)('createTextModeration', 'console', example.slice(imports.length));
  await run(createTextModeration, { log });
  expect(log.mock.calls).toEqual([[[false, true]]]);
});
