import { zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Booking } from '../testing/booking.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const params = {
  model: 'simulator',
  temperature: 0,
  messages: [
    { role: 'user' as const, content: 'My name is Ann Lee. A double room for 3 nights in Rome, "no smoking", please.' },
  ],
  response_format: zodResponseFormat(Booking, 'booking'),
};

describe('structured output through the official SDK', () => {
  test('parse returns the value parsed by zod, filled from the prompt', async () => {
    const { choices } = await server.client.chat.completions.parse(params);
    expect(choices[0]?.finish_reason).toBe('stop');
    expect(choices[0]?.message.refusal).toBeNull();
    expect(choices[0]?.message.parsed).toMatchObject({
      ...{ name: 'Ann Lee', city: 'Rome', nights: 3, kind: 'double', phone: null },
    });
  });

  test('every choice matches the schema at any temperature, with log probabilities', async () => {
    const sampledParams = { ...params, n: 5, temperature: 2, seed: 3, logprobs: true, top_logprobs: 2 };
    const { choices } = await server.client.chat.completions.parse(sampledParams);
    expect(choices.map(({ message }) => Booking.safeParse(message.parsed).success)).toEqual(Array(5).fill(true));
    for (const { message, logprobs } of choices)
      expect(logprobs?.content?.map(({ token }) => token).join('')).toBe(message.content);
  });

  test('a stream returns partial values and the same final value', async () => {
    const stream = server.client.chat.completions.stream(params);
    const seen: unknown[] = [];
    stream.on('content.delta', ({ parsed }) => seen.push(parsed));
    const completion = await stream.finalChatCompletion();
    const whole = await server.client.chat.completions.parse(params);
    expect(completion.choices[0]?.message.parsed).toEqual(whole.choices[0]?.message.parsed);
    expect(seen.length).toBeGreaterThan(5);
  });

  test('ends with length at the token limit, for which parse throws', async () => {
    const limited = { ...params, max_completion_tokens: 32 };
    const { choices, usage } = await server.client.chat.completions.create(limited);
    expect(choices[0]?.finish_reason).toBe('length');
    expect(Booking.safeParse(JSON.parse(choices[0]?.message.content ?? '')).success).toBe(true);
    expect(usage?.completion_tokens).toBeLessThanOrEqual(32);
    await expect(server.client.chat.completions.parse(limited)).rejects.toThrow('length');
  });

  test('JSON mode returns an object', async () => {
    const { choices } = await server.client.chat.completions.create({
      ...params,
      messages: [{ role: 'user', content: 'Reply in JSON with the keys "city" and "days": five days in Oslo' }],
      response_format: { type: 'json_object' },
    });
    expect(JSON.parse(choices[0]?.message.content ?? '')).toMatchObject({ city: 'Oslo' });
  });

  test('refuses a schema outside of the strict subset, naming the position', async () => {
    const wrong = { type: 'object', properties: { a: { type: 'string', pattern: '(?<=x)y' } } };
    for (const stream of [true, false]) {
      const refused = server.client.chat.completions.create({
        ...params,
        stream,
        response_format: { type: 'json_schema', json_schema: { name: 'a', schema: wrong } },
      });
      await expect(refused).rejects.toMatchObject({
        status: 400,
        code: 'invalid_json_schema',
        param: 'response_format.json_schema.schema.properties.a.pattern',
      });
    }
  });
});
