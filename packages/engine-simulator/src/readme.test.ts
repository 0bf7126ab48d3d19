import { readFile } from 'node:fs/promises';
import { createServer } from '@modelwire/server';
import { expect, test, vi } from 'vitest';
import { createSimulator } from './index.ts';

/** A function of source text that may await. */
type Compile = new (...namesAndBody: string[]) => (...values: unknown[]) => Promise<void>;

test('the example of the README runs unchanged and prints a completion', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1]?.trim() ?? '';
  expect(example.split('\n').length).toBeLessThanOrEqual(10);
  const imports =
    "import { createServer } from '@modelwire/server';\nimport { createSimulator } from '@modelwire/engine-simulator';\n";
  expect(example.startsWith(imports)).toBe(true);
  const { constructor } = Object.getPrototypeOf(async () => undefined) as { constructor: unknown };
  const log = vi.fn();
  const run = new (constructor as Compile)('createServer', 'createSimulator', 'console', example.slice(imports.length));
  await run(createServer, createSimulator, { log });
  expect(log.mock.calls[0]?.[0]).toMatchObject({
    object: 'chat.completion',
    model: 'simulator',
    choices: [{ finish_reason: 'stop', message: { content: expect.stringMatching(/^6 \* 7 = 42\./) as unknown } }],
    usage: { prompt_tokens: 14, completion_tokens: 15, total_tokens: 29 },
  });
});
