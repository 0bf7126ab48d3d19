import { readmeModule } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';

interface Example {
  readonly echo: { readonly generate: (request: object) => AsyncIterable<unknown> };
}

test("the engine of the README's example repeats the last message", async () => {
  const { echo } = (await import(await readmeModule(import.meta.url, '@modelwire/ports'))) as Example;
  const events = await Array.fromAsync(echo.generate({ messages: [{ role: 'user', content: 'hello' }] }));
  expect(events).toEqual([
    { type: 'text', choice: 0, text: 'hello' },
    { type: 'finish', choice: 0, reason: 'stop' },
  ]);
});
