import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

const model = 'simulator';
const user = { role: 'user' as const, content: 'What is the weather in Paris? Answer as JSON with the key city.' };
const City = z.object({ city: z.string() });
const tools = [zodFunction({ name: 'get_weather', parameters: City })];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const chat = () => server.client.chat.completions;

/** Sends the returned message again, like a program that appends it to its conversation. */
async function sendBack(...messages: readonly (ChatCompletionMessageParam | null | undefined)[]) {
  const returnedMessages = messages.map((message) => message ?? user);
  const { choices } = await chat().create({ model, messages: [user, ...returnedMessages, user] });
  expect(choices[0]?.finish_reason).toBe('stop');
}

describe('accepts messages returned by the official Node SDK', () => {
  test('create()', async () => {
    const { choices } = await chat().create({ model, messages: [user] });
    await sendBack(choices[0]?.message);
  });

  test('parse() with a response format', async () => {
    const format = zodResponseFormat(City, 'city');
    const { choices } = await chat().parse({ model, messages: [user], response_format: format });
    expect(choices[0]?.message.parsed?.city).toBeTypeOf('string');
    await sendBack(choices[0]?.message);
  });

  test('parse() with tools', async () => {
    const { choices } = await chat().parse({ model, messages: [user], tools, tool_choice: 'required' });
    const message = choices[0]?.message;
    expect(message?.tool_calls).toMatchObject([
      { function: { parsed_arguments: { city: expect.any(String) as string } } },
    ]);
    const answers = (message?.tool_calls ?? []).map(
      ({ id }) => ({ role: 'tool', tool_call_id: id, content: '21' }) as const,
    );
    await sendBack(message, ...answers);
  });

  test('stream().finalMessage()', async () => {
    await sendBack(
      await chat()
        .stream({ model, messages: [user] })
        .finalMessage(),
    );
  });

  test('stream().finalMessage() with a response format', async () => {
    const format = zodResponseFormat(City, 'city');
    await sendBack(
      await chat()
        .stream({ model, messages: [user], response_format: format })
        .finalMessage(),
    );
  });

  test('stream().finalMessage() with tools', async () => {
    const message = await chat()
      .stream({ model, messages: [user], tools, tool_choice: 'required' })
      .finalMessage();
    const answers = (message.tool_calls ?? []).map(
      ({ id }) => ({ role: 'tool', tool_call_id: id, content: '21' }) as const,
    );
    expect(answers.length).toBeGreaterThan(0);
    await sendBack(message, ...answers);
  });

  test('messages of runTools()', async () => {
    const sentMessages: unknown[] = [];
    const weather = {
      type: 'function' as const,
      function: {
        name: 'get_weather',
        description: 'The weather in a city.',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        parse: JSON.parse,
        function(input: unknown) {
          sentMessages.push(input);
          return '21 degrees';
        },
      },
    };
    for (const stream of [false, true] as const) {
      const params = { model, messages: [user], tools: [weather], max_completion_tokens: 200 };
      const runner = stream ? chat().runTools({ ...params, stream }) : chat().runTools(params);
      await runner.done();
      const roles = runner.messages.map(({ role }) => role);
      expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant']);
    }
    expect(sentMessages.length).toBeGreaterThanOrEqual(2);
  });
});

test('treats null on optional chat parameters as absent', async () => {
  const names = [
    ...['tools', 'tool_choice', 'response_format', 'parallel_tool_calls', 'user', 'stop', 'functions', 'function_call'],
    ...['web_search_options', 'metadata', 'seed', 'logit_bias', 'prediction', 'audio', 'modalities', 'verbosity', 'n'],
    ...['safety_identifier', 'stream_options', 'reasoning_effort', 'max_tokens', 'stream', 'store', 'service_tier'],
  ];
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [user], ...Object.fromEntries(names.map((name) => [name, null])) }),
  });
  expect(response.status).toBe(200);
});

test('an empty after returns the first page', async () => {
  const completion = await chat().create({ model, messages: [user], store: true });
  const listed = await chat().list({ after: '', limit: 500 });
  expect(listed.data.map(({ id }) => id)).toContain(completion.id);
});
