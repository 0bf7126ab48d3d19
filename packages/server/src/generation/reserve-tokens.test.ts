import { setTimeout } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { memoryRateLimiter } from '../limits/memory-rate-limiter.ts';
import type { ServerOptions } from '../options/options.ts';
import type { ChatEvent } from '@modelwire/ports';
import type { RequestLogEntry } from '../request-log.ts';
import { listen } from '../testing/listen.ts';
import { scriptedEngine } from '../testing/scripted-engine.ts';

const promptTokens = 10;

/** An engine whose prompts have 10 tokens, and which generates up to 20 tokens. */
function countingEngine(failure?: Error) {
  const generated = { tokens: 0, requests: 0 };
  const engine = scriptedEngine(
    async function* ({ n, max_completion_tokens: limit = 20 }): AsyncGenerator<ChatEvent> {
      generated.requests++;
      await setTimeout(1);
      if (failure) throw failure;
      const completion = Math.min(limit, 20);
      for (let choice = 0; choice < n; choice++) {
        yield { type: 'text', choice, text: 'word '.repeat(completion), tokens: completion };
        yield { type: 'finish', choice, reason: 'stop' };
      }
      const usage = { prompt_tokens: promptTokens, completion_tokens: n * completion, total_tokens: 0 };
      usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
      generated.tokens += usage.total_tokens;
      yield { type: 'usage', usage };
    },
    { promptTokens, can: { parameters: { n: 'native', max_completion_tokens: 'native', max_tokens: 'native' } } },
  );
  return { generated, engine };
}

async function startServer(
  tokensPerMinute: number,
  { failure, ...options }: Partial<ServerOptions> & { failure?: Error } = {},
) {
  const { engine, generated } = countingEngine(failure);
  const log: RequestLogEntry[] = [];
  // The clock does not advance: the limit is not replenished.
  const rateLimiter = memoryRateLimiter({ tokensPerMinute, clock: { monotonic: () => 0 } });
  const listening = await listen({ engines: [engine], rateLimiter, log: (entry) => log.push(entry), ...options });
  const send = (body: object = {}): Promise<Response> =>
    listening.post({ model: 'scripted', messages: [{ role: 'user', content: 'Hello' }], ...body });
  return { ...listening, send, generated, log };
}

async function statuses(responses: readonly Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(responses)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test.each([
  ['with a limit', { max_completion_tokens: 20 }, 6],
  ['without a limit', {}, 1],
  ['of two choices', { max_completion_tokens: 20, n: 2 }, 4],
])('60 concurrent requests %s never use more tokens than the key has', async (_name, body, admitted) => {
  const { send, generated } = await startServer(200);
  expect(await statuses(Array.from({ length: 60 }, () => send(body)))).toEqual({ 200: admitted, 429: 60 - admitted });
  expect(generated.tokens).toBeLessThanOrEqual(200);
});

test('requests without a limit reserve 4,096 output tokens, and return those that they do not use', async () => {
  const { send } = await startServer(10_000);
  for (let count = 0; count < 8; count++) {
    const response = await send();
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-remaining-tokens')).toBe(String(10_000 - 30 * count - 4106));
  }
});

test('requests without a limit are served while at least 256 output tokens are left, and never use more than the key has', async () => {
  const { send, generated } = await startServer(400);
  // Each uses 30 tokens: 280 are left after four requests; after five, too few for a prompt of 10 and 256 output tokens.
  for (let count = 0; count < 5; count++) {
    const response = await send();
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ratelimit-remaining-tokens')).toBe('0');
  }
  const refused = await send();
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-ratelimit-remaining-tokens')).toBe('250');
  expect(refused.headers.get('retry-after-ms')).toBe('2400');
  expect(generated.tokens).toBe(150);
  // A request whose limit fits is still served.
  expect((await send({ max_completion_tokens: 20 })).status).toBe(200);
});

test('the headers report the remaining tokens after the reservation, and Retry-After', async () => {
  const { send } = await startServer(200);
  const first = await send({ max_completion_tokens: 90 });
  expect(first.headers.get('x-ratelimit-limit-tokens')).toBe('200');
  expect(first.headers.get('x-ratelimit-remaining-tokens')).toBe('100');
  // It used 30 of the 100 that were reserved.
  const second = await send({ max_completion_tokens: 160 });
  expect(second.headers.get('x-ratelimit-remaining-tokens')).toBe('0');
  const refused = await send({ max_completion_tokens: 160 });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-ratelimit-remaining-tokens')).toBe('140');
  expect(refused.headers.get('retry-after-ms')).toBe('9000');
  expect(await refused.json()).toMatchObject({ error: { type: 'tokens', code: 'rate_limit_exceeded' } });
});

test('a request that can never fit is refused with the limit, the requested tokens and x-should-retry: false', async () => {
  const { send, generated } = await startServer(200);
  const refused = await send({ max_completion_tokens: 191 });
  expect(refused.status).toBe(429);
  expect(refused.headers.get('x-should-retry')).toBe('false');
  const { error } = (await refused.json()) as { error: { message: string } };
  expect(error).toMatchObject({ type: 'tokens', code: 'rate_limit_exceeded' });
  expect(error.message).toContain('limit 200, requested 201');
  expect(generated.requests).toBe(0);
});

test('returns the reservation when the engine fails, and when the client disconnects', async () => {
  const failing = await startServer(200, { failure: new Error('the engine failed') });
  for (let count = 0; count < 5; count++) expect((await failing.send({ max_completion_tokens: 150 })).status).toBe(500);

  const disconnected = await startServer(200);
  const controller = new AbortController();
  await fetch(`${disconnected.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-key-1234567890', 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ model: 'scripted', messages: [{ role: 'user', content: 'Hello' }] },
      ...{ max_completion_tokens: 150, stream: true },
    }),
    signal: controller.signal,
  });
  controller.abort();
  await vi.waitFor(() => expect(disconnected.log).toHaveLength(1), { timeout: 20_000 });
  expect((await disconnected.send({ max_completion_tokens: 150 })).status).toBe(200);
});

test('reserves nothing for a key without a token limit', async () => {
  const { engine } = countingEngine();
  const reserve = vi.fn();
  const limiter = { ...memoryRateLimiter({ requestsPerMinute: 10 }), reserve };
  const { post } = await listen({ engines: [engine], rateLimiter: limiter });
  expect((await post({ model: 'scripted', messages: [{ role: 'user', content: 'Hello' }] })).status).toBe(200);
  expect(reserve).not.toHaveBeenCalled();
});

test('records a reply that is aborted before its usage with an estimated prompt, and marks it in the log', async () => {
  const engine = scriptedEngine(async function* (_request, { signal }): AsyncGenerator<ChatEvent> {
    yield { type: 'text', choice: 0, text: 'one ' };
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
  });
  const log: RequestLogEntry[] = [];
  const { client } = await listen({ engines: [engine], log: (entry) => log.push(entry) });
  const messages = [{ role: 'user' as const, content: 'Hello there, all of you' }];
  const stream = await client.chat.completions.create({ model: 'scripted', messages, stream: true });
  for await (const { choices } of stream) if (choices[0]?.delta.content) break;
  await vi.waitFor(() => expect(log).toHaveLength(1), { timeout: 20_000 });
  expect(log[0]).toMatchObject({ usageIsEstimated: true, usage: { prompt_tokens: 12, completion_tokens: 1 } });
});

test('counts the prompt of a request whose client disconnects before the first token', async () => {
  const started = Promise.withResolvers<undefined>();
  const engine = scriptedEngine(async function* (_request, { signal }): AsyncGenerator<ChatEvent> {
    started.resolve(undefined);
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    yield { type: 'finish', choice: 0, reason: 'stop' };
  });
  const log: RequestLogEntry[] = [];
  const { client } = await listen({ engines: [engine], log: (entry) => log.push(entry) });
  const messages = [{ role: 'user' as const, content: 'Hello there, all of you' }];
  const controller = new AbortController();
  const request = client.chat.completions.create({ model: 'scripted', messages }, { signal: controller.signal });
  await started.promise;
  controller.abort();
  await expect(request).rejects.toThrow('aborted');
  await vi.waitFor(() => expect(log).toHaveLength(1), { timeout: 20_000 });
  expect(log[0]).toMatchObject({ usageIsEstimated: true, usage: { prompt_tokens: 12, completion_tokens: 0 } });
});
