import { readFile, rm, writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';

test('the example of the README runs as it stands and gives what it promises', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(11);
  const file = new URL(`./readme-example-${process.pid}.ts`, import.meta.url);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await writeFile(file, example.replace("'@modelwire/engine-simulator'", "'./index.ts'"));
  try {
    await import(file.href);
    const said = log.mock.calls.map(([event]: unknown[]) => event as { type: string; text?: string });
    expect(said.map(({ text }) => text ?? '').join('')).toBe('6 * 7 =');
    expect(said.at(-1)?.type).toBe('usage');
  } finally {
    log.mockRestore();
    await rm(file);
  }
});
