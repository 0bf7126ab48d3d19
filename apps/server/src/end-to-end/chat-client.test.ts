import { createChat } from '@modelwire/chat';
import type { ChatClient } from '@modelwire/chat';
import { parse, streamParsed } from '@modelwire/chat/parse';
import { audioPart, filePart, imagePart } from '@modelwire/chat/parts';
import { customTool, runTools, tool } from '@modelwire/chat/tools';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { Booking } from '../testing/booking.ts';
import { key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let chat: ChatClient;
beforeAll(async () => {
  server = await startTestServer();
  chat = createChat({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
});
afterAll(() => server.stop());

const user = (content: string) => [{ role: 'user' as const, content }];
const params = {
  model: 'simulator',
  temperature: 0,
  messages: user('My name is Ann Lee. A double room for 3 nights in Rome, "no smoking", please.'),
  response_format: { name: 'booking', schema: Booking },
};

const weather = tool({
  name: 'get_weather',
  description: 'Get the weather for a location',
  parameters: z.object({ location: z.string(), unit: z.enum(['celsius', 'fahrenheit']) }),
  run: ({ location, unit }) => ({ temperature: 18, unit, sky: location === 'Paris' ? 'clear' : 'grey' }),
});
const clock = tool({
  name: 'get_time',
  description: 'Tells the time in a city',
  parameters: z.object({ city: z.string() }),
  run: () => 'half past nine',
});
const both = {
  model: 'simulator',
  temperature: 0,
  messages: user('What is the weather in Paris, and what time is it in Tokyo?'),
};

describe('parse, with zod', () => {
  test('returns the parsed value, typed', async () => {
    const { outcome } = await parse(chat, params);
    if (outcome.type !== 'parsed') throw new Error(outcome.type);
    expectTypeOf(outcome.parsed).toEqualTypeOf<z.infer<typeof Booking>>();
    expect(outcome.parsed).toMatchObject({ name: 'Ann Lee', city: 'Rome', nights: 3, kind: 'double', phone: null });
  });

  test('returns an outcome for each choice', async () => {
    const { outcomes } = await parse(chat, { ...params, n: 4, temperature: 2, seed: 3 });
    expect(outcomes.map(({ type, choice }) => [type, choice.index])).toEqual([0, 1, 2, 3].map((n) => ['parsed', n]));
  });

  test('returns the outcome length at the token limit', async () => {
    const { outcome } = await parse(chat, { ...params, max_completion_tokens: 32 });
    if (outcome.type !== 'length') throw new Error(outcome.type);
    expect(outcome.partial).toHaveProperty('name');
  });

  test('parses tool call arguments, typed by tool name', async () => {
    const { outcome } = await parse(chat, { ...both, tools: [weather, clock] });
    if (outcome.type !== 'tool_calls') throw new Error(outcome.type);
    const [first, second] = outcome.calls;
    expect(first).toMatchObject({ type: 'function', arguments: { location: 'Paris', unit: 'celsius' } });
    expect(second).toMatchObject({ type: 'function', arguments: { city: 'Tokyo' } });
    if (first?.type === 'function' && first.name === 'get_weather') {
      expectTypeOf(first.arguments.unit).toEqualTypeOf<'celsius' | 'fahrenheit'>();
    }
  });

  test('streams growing partial values that end with the complete value', async () => {
    const stream = streamParsed(chat, params);
    const seen: unknown[] = [];
    for await (const partial of stream.partials()) {
      expectTypeOf(partial.name).toEqualTypeOf<string | undefined>();
      seen.push(structuredClone(partial));
    }
    const { outcome } = await stream.final();
    const whole = await parse(chat, params);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen[0]).not.toEqual(seen.at(-1));
    if (outcome.type !== 'parsed' || whole.outcome.type !== 'parsed') throw new Error(outcome.type);
    expect(seen.at(-1)).toEqual(outcome.parsed);
    expect(outcome.parsed).toEqual(whole.outcome.parsed);
  });

  test('names the position of a schema that strict mode does not support', async () => {
    const optional = z.object({ a: z.string().optional() });
    await expect(parse(chat, { ...params, response_format: { name: 'a', schema: optional } })).rejects.toMatchObject({
      status: 400,
      param: expect.stringMatching(/^response_format/) as string,
    });
  });
});

describe('runTools', () => {
  test.each([false, true])('runs the called tools and sends their results (stream: %s)', async (stream) => {
    const run = runTools(chat, { ...both, tools: [weather, clock], stream });
    const events: string[] = [];
    for await (const event of run) if (event.type !== 'delta') events.push(event.type);
    const { endReason, outcome, messages, usage, steps } = await run.final();
    expect(events).toEqual([
      ...['message', 'tool_call', 'tool_call', 'tool_result', 'tool_result', 'message', 'final'],
    ]);
    if (outcome.type !== 'parsed') throw new Error(outcome.type);
    expect(outcome.parsed).toContain('temperature is 18');
    expect(outcome.parsed).toContain('half past nine');
    expect([endReason, steps]).toEqual(['completed', 2]);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
    expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
  });

  test('passes a custom tool text that matches its grammar', async () => {
    const inputs: string[] = [];
    const timestamp = customTool({
      name: 'timestamp',
      format: { type: 'grammar', grammar: { syntax: 'regex', definition: String.raw`\d{4}-\d\d-\d\d \d\d:\d\d` } },
      run: (input) => {
        inputs.push(input);
        return 'kept';
      },
    });
    const messages = user('Make a timestamp of 2026-03-01 10:30');
    const { endReason } = await runTools(chat, {
      ...both,
      messages,
      tools: [timestamp],
      tool_choice: 'required',
    }).final();
    expect(inputs).toEqual(['2026-03-01 10:30']);
    expect(endReason).toBe('completed');
  });

  test('sends the error of a tool to the model', async () => {
    const broken = tool({
      ...{ name: 'get_time', description: 'Tells the time in a city', parameters: z.object({ city: z.string() }) },
      run: () => {
        throw new Error('the clock stands still');
      },
    });
    const run = runTools(chat, { ...both, messages: user('What time is it in Tokyo?'), tools: [broken] });
    const { outcome, messages } = await run.final();
    expect(messages[2]).toMatchObject({ role: 'tool', content: 'Error: the clock stands still' });
    expect(outcome.type).toBe('parsed');
  });
});

test('the server accepts the shape of content parts and refuses invalid contents', async () => {
  const head = Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
  const parts = [
    [await imagePart(new Blob([head], { type: 'image/png' }), { detail: 'low' }), 'image_url.url'],
    [await filePart(new File(['%PDF-1.4'], 'a.pdf', { type: 'application/pdf' })), 'file'],
    [await audioPart(new Blob(['RIFF'], { type: 'audio/wav' })), 'input_audio.data'],
  ] as const;
  const ask = (part: (typeof parts)[number][0]) =>
    chat.completions.create({ model: 'simulator', messages: [{ role: 'user', content: [part] }] });
  for (const [part, where] of parts) {
    const param = `messages[0].content[0].${where}`;
    await expect(ask(part)).rejects.toMatchObject({ status: 400, param });
  }
  const text = await filePart(new File(['Rivers'], 'a.txt', { type: 'text/plain' }));
  expect((await ask(text)).choices[0]?.finish_reason).toBe('stop');
});
