import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';

interface Example {
  readonly echo: { readonly generate: (request: object) => AsyncIterable<unknown> };
}

test("the engine of the README's example repeats the last message", async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const file = new URL(`./readme-example-${process.pid}.ts`, import.meta.url);
  writeFileSync(file, example.replaceAll("'@modelwire/ports'", "'./index.ts'"));
  onTestFinished(() => rmSync(file));
  const { echo } = (await import(file.href)) as Example;
  const events = await Array.fromAsync(echo.generate({ messages: [{ role: 'user', content: 'hello' }] }));
  expect(events).toEqual([
    { type: 'text', choice: 0, text: 'hello' },
    { type: 'finish', choice: 0, reason: 'stop' },
  ]);
});
