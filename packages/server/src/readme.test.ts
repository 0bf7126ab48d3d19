import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';

interface Example {
  readonly default: { readonly fetch: (request: Request) => Promise<Response> };
}

test("the README's example serves", async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const file = new URL(`./readme-example-${process.pid}.ts`, import.meta.url);
  writeFileSync(file, example.replace("'@modelwire/server'", "'./index.ts'"));
  onTestFinished(() => rmSync(file));
  const { default: server } = (await import(file.href)) as Example;
  const response = await server.fetch(
    new Request('http://parrot/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer a-long-secret', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'parrot', messages: [{ role: 'user', content: 'Polly wants a cracker' }] }),
    }),
  );
  expect(await response.json()).toMatchObject({
    choices: [{ message: { content: 'Polly wants a cracker' }, finish_reason: 'stop' }],
  });
});
