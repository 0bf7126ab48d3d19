import { compileFunction } from 'node:vm';
import { createServer } from '@modelwire/server';
import { readmeExample } from '@modelwire/vitest/readme';
import { expect, test } from 'vitest';
import { createJudge } from './index.ts';
import { scripted, verdict } from './testing/scripted.ts';

test('the example of the README moderates with the named model', async () => {
  const example = await readmeExample(import.meta.url);
  expect(example.trim().split('\n').length).toBeLessThanOrEqual(10);
  const names = ['createServer', 'createUpstream', 'createJudge'];
  const run = compileFunction(`${example.replace(/^import .*$/gm, '')}; return server;`, names) as (
    ...made: unknown[]
  ) => ReturnType<typeof createServer>;
  // Replaces a server on the network.
  const upstream = (options: { models: object }) => {
    const engine = scripted(() => verdict({ violence: 0.8, harassment: 0.6 }));
    const [id = ''] = Object.keys(options.models);
    return { ...engine, models: () => engine.models().map((model) => ({ ...model, id })) };
  };
  const server = run(createServer, upstream, createJudge);
  const answer = await server.fetch(
    new Request('http://localhost/v1/moderations', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: 'a' }),
    }),
  );
  expect(await answer.json()).toMatchObject({
    model: 'omni-moderation-latest',
    results: [{ flagged: true, categories: { violence: true, harassment: false } }],
  });
});
