import { readmeModule } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';

interface Example {
  readonly default: { readonly fetch: (request: Request) => Promise<Response> };
}

test('the example of the README serves requests', async () => {
  const { default: server } = (await import(await readmeModule(import.meta.url, '@modelwire/server'))) as Example;
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
