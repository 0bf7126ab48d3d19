import { createChat } from '@modelwire/chat';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { createAssistant } from './testing/assistant.ts';
import { useTestServer } from './vitest.ts';

const server = useTestServer({
  replies: [
    {
      when: { tool: 'find_order', message: '/order (?<number>\\d+)/' },
      reply: { toolCalls: [{ name: 'find_order', arguments: { number: '{{match.number}}' } }] },
    },
    { when: { toolResult: 'find_order' }, reply: 'Your order {{toolResult}}.' },
    { when: { format: 'json_object', message: 'broken' }, reply: { json: { topic: 'repair', urgent: true } } },
    { when: { message: 'joke' }, reply: { refusal: 'I would rather not.' } },
    { when: { message: 'opening hours' }, reply: { chunks: ['Nine ', 'to ', 'five.'], pace: 5 } },
  ],
  moderations: [{ when: { text: /fool/ }, reply: { flagged: ['harassment'] } }, { reply: {} }],
});

const assistant = (maxRetries = 2) => {
  const client = new OpenAI({ baseURL: server.baseURL, apiKey: server.apiKey, maxRetries });
  return createAssistant(client, (number) => `${number} is on its way`);
};

async function ask(question: string, maxRetries?: number) {
  const shownParts: string[] = [];
  const { text, looked } = await assistant(maxRetries).answer(question, (part) => shownParts.push(part));
  return { text, looked, shownParts };
}

describe('an application with the official client', () => {
  test('runs the tool that the model calls, and shows the streamed reply', async () => {
    expect(await ask('Where is order 4711?')).toEqual({
      text: 'Your order 4711 is on its way.',
      looked: ['4711'],
      shownParts: ['Your', ' order', ' 4711', ' is', ' on', ' its', ' way.'],
    });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/moderations',
      '/v1/chat/completions',
      '/v1/chat/completions',
    ]);
    expect(server.requests[2]?.body).toMatchObject({
      messages: [
        { role: 'system' },
        { role: 'user' },
        { role: 'assistant' },
        { role: 'tool', content: '4711 is on its way' },
      ],
    });
  });

  test('does not send flagged input to the model', async () => {
    expect((await ask('You fool')).text).toBe('We do not answer that.');
    expect(server.requests).toHaveLength(1);
  });

  test('parses JSON, and receives the scripted chunks', async () => {
    expect(await assistant().sort('It is broken!')).toEqual({ topic: 'repair', urgent: true });
    expect((await ask('What are your opening hours?')).shownParts).toEqual(['Nine ', 'to ', 'five.']);
  });

  test('retries after a rate limit, a server error and a lost connection', async () => {
    server.fault({ fault: 'rate-limit', retryAfter: 0.01 }, { fault: 'server-error', skip: 1 });
    expect((await ask('What are your opening hours?')).text).toBe('Nine to five.');
    expect(server.requests.map(({ status }) => status)).toEqual([429, 500, 200, 200]);
  });

  test('does not treat a truncated reply as complete', async () => {
    const chat = { path: '/chat/completions' };
    for (const fault of ['drop', 'reset', 'truncated'] as const) {
      server.fault({ fault, afterChunks: 2, when: chat });
      await expect(ask('What are your opening hours?', 0)).rejects.toThrow();
    }
    server.fault({ fault: 'malformed-frame', when: chat });
    await expect(ask('What are your opening hours?', 0)).rejects.toThrow();
    expect((await ask('What are your opening hours?')).text).toBe('Nine to five.');
  });

  test('shows errors of the model, also in the middle of a stream', async () => {
    server.reply(
      { when: { message: 'one' }, reply: { error: { status: 402, code: 'no_money', message: 'Pay first.' } } },
      {
        when: { message: 'two' },
        reply: { text: 'This ends here', error: { afterChunks: 2, message: 'Overheated.' } },
      },
    );
    await expect(ask('one')).rejects.toMatchObject({ status: 402, code: 'no_money' });
    await expect(ask('two')).rejects.toThrow('Overheated.');
  });
});

describe('the same with @modelwire/chat', () => {
  const chat = (maxRetries = 0) =>
    createChat({ baseURL: server.baseURL, apiKey: server.apiKey, maxRetries, fetch: server.fetch });
  const ask = (content: string) => ({ model: 'gpt-4o', messages: [{ role: 'user' as const, content }] });

  test('with and without streaming, without a port', async () => {
    const { choices } = await chat().completions.create(ask('Tell me a joke'));
    expect(choices[0]?.message).toMatchObject({ refusal: 'I would rather not.', content: null });
    const final = await chat().completions.stream(ask('opening hours')).final();
    expect(final.choices[0]?.message.content).toBe('Nine to five.');
    expect(final.usage).toEqual({ prompt_tokens: 4, completion_tokens: 4, total_tokens: 8 });
  });

  test('faults are typed errors, and a truncated stream is never complete', async () => {
    for (const fault of ['drop', 'reset', 'truncated'] as const) {
      server.fault({ fault, afterChunks: 2 });
      const stream = chat().completions.stream(ask('opening hours'));
      await expect(stream.final()).rejects.toThrow();
      expect(stream.state).toBe('failed');
    }
    server.fault({ fault: 'rate-limit', retryAfter: 0.01 });
    const { choices } = await chat(1).completions.create(ask('opening hours'));
    expect(choices[0]?.message.content).toBe('Nine to five.');
  });
});
