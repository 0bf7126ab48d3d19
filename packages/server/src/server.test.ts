import { describe, expect, test } from 'vitest';
import { adapters, listen } from './testing/listen.ts';
import { says, scriptedEngine, slowly } from './testing/scripted-engine.ts';

const messages = [{ role: 'user' as const, content: 'Hello' }];

describe.each(adapters)('with the adapter %s', (adapter) => {
  test('the official SDK gets a complete completion', async () => {
    const { client } = await listen({ engines: [scriptedEngine(() => says('Good', ' day'))] }, adapter);
    const completion = await client.chat.completions.create({ model: 'scripted', messages });
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'scripted',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Good day', refusal: null },
          finish_reason: 'stop',
          logprobs: null,
        },
      ],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      service_tier: 'default',
    });
    expect(completion.id).toMatch(/^chatcmpl-[0-9a-f]{32}$/);
    expect(completion._request_id).toMatch(/^req_[0-9a-f]{32}$/);
  });

  test.each([
    ['all at once', says],
    ['slowly', (...words: string[]) => slowly(says(...words))],
  ])('the official SDK streams events that the engine sends %s', async (_, reply) => {
    const { client } = await listen({ engines: [scriptedEngine(() => reply('Good', ' day'))] }, adapter);
    const stream = await client.chat.completions.create({
      model: 'scripted',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '', refusal: null },
      { content: 'Good' },
      { content: ' day' },
      {},
      undefined,
    ]);
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop');
    expect(chunks.map(({ usage }) => usage?.total_tokens ?? usage)).toEqual([null, null, null, null, 5]);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(new Set(chunks.map(({ created }) => created)).size).toBe(1);
  });
});
