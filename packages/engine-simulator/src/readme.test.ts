import { readFile, rm, writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';

test('the example of the README runs as it stands and prints a completion', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(10);
  const file = new URL(`./readme-example-${process.pid}.ts`, import.meta.url);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  await writeFile(file, example.replace("'@modelwire/engine-simulator'", "'./index.ts'"));
  try {
    await import(file.href);
    expect(log.mock.calls[0]?.[0]).toMatchObject({
      object: 'chat.completion',
      model: 'simulator',
      choices: [{ finish_reason: 'stop', message: { content: expect.stringMatching(/^6 \* 7 = 42\./) as unknown } }],
      usage: { prompt_tokens: 14, completion_tokens: 22, total_tokens: 36 },
    });
  } finally {
    log.mockRestore();
    await rm(file);
  }
});
