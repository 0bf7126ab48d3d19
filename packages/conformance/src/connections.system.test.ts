import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runConformance } from './index.ts';
import type { CheckResult } from './index.ts';
import { generousTimeouts } from './testing/serve.ts';
import { valueAt } from './exchange/value.ts';
import { parseJson } from './exchange/parse-json.ts';

const CREATE = 'chat.completions.create';
const STREAM_MS = 1100;

interface Behavior {
  /** Whether the engine goes on when a client leaves. */
  readonly ignoresLeaving?: boolean;
  /** Whether a client that does not read for a second loses its connection. */
  readonly cutsSlowReaders?: boolean;
  /** The cached tokens of each long prompt in turn. */
  readonly cachedTokens?: readonly number[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server with one engine that runs streams together, and other requests after them. */
function fakeServer({ ignoresLeaving, cutsSlowReaders, cachedTokens = [], headers = {} }: Behavior) {
  const running = new Set<Promise<unknown>>();
  const cached = cachedTokens.values();
  const reply = async (body: unknown): Promise<Response> => {
    await Promise.all(running);
    const isLong = valueAt(body, 'prompt_cache_key') !== undefined;
    const prompt_tokens_details = { cached_tokens: isLong ? (cached.next().value ?? 0) : 0 };
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }];
    return Response.json(
      { id: 'x', object: 'chat.completion', choices, usage: { prompt_tokens_details } },
      { headers },
    );
  };
  const stream = (): Response => {
    const left = new AbortController();
    const generated = sleep(STREAM_MS, undefined, { signal: ignoresLeaving ? undefined : left.signal }).catch(
      () => undefined,
    );
    running.add(generated);
    void generated.then(() => running.delete(generated));
    const event = (finish_reason: string | null): Uint8Array =>
      new TextEncoder().encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason }] })}\n\n`);
    let readMs = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (readMs === 0) {
            readMs = performance.now();
            controller.enqueue(event(null));
            return;
          }
          if (cutsSlowReaders && performance.now() - readMs > 1000) {
            controller.error(new Error('reset'));
            return;
          }
          await generated;
          controller.enqueue(event('stop'));
          controller.close();
        },
        cancel: () => left.abort(),
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  return async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    if (!new Request(input).url.endsWith('/chat/completions')) return Response.json({}, { status: 404 });
    const body = typeof init?.body === 'string' ? parseJson(init.body) : undefined;
    return valueAt(body, 'stream') === true ? stream() : reply(body);
  };
}

async function outcomeOf(id: string, behavior: Behavior): Promise<CheckResult['outcome'] | undefined> {
  const { results } = await runConformance({
    ...{ baseURL: 'http://server.invalid/v1', models: { chat: 'm' }, ...generousTimeouts },
    ...{ only: [id], destructive: true, fetch: fakeServer(behavior) },
  });
  return results.find((result) => result.id === id)?.outcome;
}

test.each([
  ['stream.abort', 'passes', {}, 'pass'],
  ['stream.abort', 'fails when the engine goes on', { ignoresLeaving: true }, 'fail'],
  ['stream.slow-reader', 'passes', {}, 'pass'],
  ['stream.slow-reader', 'fails when the server disconnects', { cutsSlowReaders: true }, 'fail'],
  ['cache.affinity', 'passes after the first request', { cachedTokens: [0, 9, 9, 9] }, 'pass'],
  ['cache.affinity', 'fails between two caches', { cachedTokens: [0, 0, 9, 9] }, 'fail'],
  ['cache.affinity', 'is skipped without cached tokens', { cachedTokens: [0, 0, 0, 0] }, 'skipped'],
] as const)('%s %s', async (name, _, behavior, outcome) => {
  expect(await outcomeOf(`${CREATE}/${name}`, behavior)).toBe(outcome);
});

test.each([
  ['passes from 0 to the limit', '0', 'pass'],
  ['fails below 0', '-1', 'fail'],
  ['fails above the limit', '6', 'fail'],
] as const)('rate-limit-headers %s', async (_, remaining, outcome) => {
  const headers = { 'x-ratelimit-limit-requests': '5', 'x-ratelimit-remaining-requests': remaining };
  const { results } = await runConformance({
    ...{
      baseURL: 'http://server.invalid/v1',
      models: { chat: 'm' },
      ...generousTimeouts,
      fetch: fakeServer({ headers }),
    },
    only: [`${CREATE}/whole`, 'http/rate-limit-headers'],
  });
  expect(results.find(({ id }) => id === 'http/rate-limit-headers')?.outcome).toBe(outcome);
});
