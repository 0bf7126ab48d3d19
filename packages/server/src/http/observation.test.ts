import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Observer, RequestOutcome, WebSearch } from '@modelwire/ports';
import { key, listen } from '../testing/listen.ts';
import type { RequestLogEntry } from '../request-log.ts';
import { says, scriptedEngine, slowly } from '../testing/scripted-engine.ts';

const ask = { model: 'scripted', messages: [{ role: 'user', content: 'Hello' }] };

/** Records what an observer is told, as one line each. */
function recorder(): {
  readonly observer: Observer;
  readonly lines: string[];
  readonly ended: Promise<RequestOutcome>;
} {
  const lines: string[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<RequestOutcome>();
  const note = (name: string, details: object) => {
    lines.push(`${name} ${JSON.stringify(details)}`);
    return {
      headers: {},
      end: (outcome: object) =>
        void lines.push(`${name} ended${'error' in outcome && outcome.error !== undefined ? ' with an error' : ''}`),
    };
  };
  const observer: Observer = {
    startRequest: ({ method, route, header }) => {
      lines.push(`request ${method} ${route ?? '-'} ${header('traceparent') ?? '-'}`);
      return {
        run(handle) {
          lines.push('run');
          return handle();
        },
        startQueueWait: (wait) => note('queue', wait),
        startGeneration({ operation, engine, isRemote, model, project, isStreamed }) {
          const { end } = note('generation', { operation, engine, isRemote, model, project, isStreamed });
          return {
            startUpstreamAttempt: (attempt) => note('attempt', attempt),
            end({ usage, finishReasons, firstTokenAt, error }) {
              lines.push(
                JSON.stringify({ tokens: usage?.total_tokens, finishReasons, first: firstTokenAt !== undefined }),
              );
              end({ error });
            },
          };
        },
        startModeration: (moderation) => note('moderation', moderation),
        startTool: (tool) => note('tool', tool),
        startUpstreamAttempt: (attempt) => note('attempt', attempt),
        end(outcome) {
          lines.push(`request ended ${outcome.status}`);
          resolve(outcome);
        },
      };
    },
  };
  return { observer, lines, ended };
}

const details = { operation: 'chat', engine: 'scripted', isRemote: false, model: 'scripted', project: 'default' };

describe('an observer', () => {
  test.each([false, true])('observes a chat request and its generation, with stream: %s', async (stream) => {
    const { observer, lines, ended } = recorder();
    const { post } = await listen({ engines: [scriptedEngine(() => slowly(says('Hi', 'you')))], observer });
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await (await post({ ...ask, stream }, { traceparent })).text();
    await ended;
    expect(lines).toEqual([
      `request POST /v1/chat/completions ${traceparent}`,
      'run',
      `generation ${JSON.stringify({ ...details, isStreamed: stream })}`,
      '{"tokens":5,"finishReasons":["stop"],"first":true}',
      'generation ended',
      'request ended 200',
    ]);
  });

  test('observes a request that fails in its generation', async () => {
    const { observer, lines, ended } = recorder();
    const fails = scriptedEngine(() => {
      throw new Error('broken');
    });
    const { post } = await listen({ engines: [fails], observer });
    await post(ask);
    expect(await ended).toMatchObject({ status: 500, error: 'internal_error', model: 'scripted' });
    expect(lines).toContain('generation ended with an error');
  });

  test.each([
    ['/chat/completions', { ...ask, stream: false }],
    ['/chat/completions', { ...ask, stream: true }],
    ['/completions', { model: 'scripted', prompt: 'Hello', stream: true }],
    ['/embeddings', { model: 'scripted', input: 'Hello' }],
  ])('observes that the client disconnected, whatever error the engine throws: %s %o', async (path, body) => {
    const { observer } = recorder();
    const { promise: ended, resolve } = Promise.withResolvers<unknown>();
    const recording: Observer = {
      startRequest(request) {
        const observation = observer.startRequest(request);
        if (!observation) return undefined;
        const startGeneration: typeof observation.startGeneration = (generation) => ({
          ...observation.startGeneration(generation),
          end: ({ error }) => resolve(error),
        });
        return { ...observation, startGeneration };
      },
    };
    const { promise: started, resolve: start } = Promise.withResolvers<undefined>();
    const untilAborted = async (signal: AbortSignal): Promise<never> => {
      start(undefined);
      await once(signal, 'abort');
      throw new Error('the engine stopped');
    };
    const generate = async function* (_: unknown, { signal }: { readonly signal: AbortSignal }) {
      yield { type: 'text', choice: 0, text: 'Hi' } as const;
      await untilAborted(signal);
    };
    const engine = { ...scriptedEngine(generate), textCompletions: { tokens: true, suffix: true }, complete: generate };
    const { models } = scriptedEngine(generate);
    const embeddingEngine = {
      name: 'embeddings',
      models,
      embed: (_: unknown, { signal }: { readonly signal: AbortSignal }) => untilAborted(signal),
    };
    const { url } = await listen({ engines: [engine], embeddingEngines: [embeddingEngine], observer: recording });
    const controller = new AbortController();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    sent.catch(() => undefined);
    await started;
    controller.abort();
    expect(await ended).toMatchObject({ code: 'client_disconnected' });
  });

  test('observes a web search, and the requests that it reports', async () => {
    const { observer, lines, ended } = recorder();
    const webSearch: WebSearch = {
      name: 'tests',
      search(_query, context) {
        context.observer
          ?.startUpstreamAttempt({ upstream: 's', model: undefined, method: 'POST', origin: '', path: '/', number: 1 })
          .end({ status: 200 });
        return Promise.resolve([]);
      },
    };
    const { post } = await listen({ engines: [scriptedEngine(() => says('Hi'))], webSearch, observer });
    await (await post({ ...ask, web_search_options: {} })).text();
    await ended;
    expect(lines.slice(2, 6).map((line) => line.replace(/ \{.*/, ''))).toEqual([
      'tool',
      'attempt',
      'attempt ended',
      'tool ended',
    ]);
  });

  test('observes the wait for an engine, also if it is refused', async () => {
    const { observer, lines } = recorder();
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
    const engine = scriptedEngine(
      async function* () {
        await held;
        yield* says('Hi');
      },
      { concurrency: 1 },
    );
    const { post, server } = await listen({ engines: [engine], observer, queueTimeoutMs: 1 });
    const first = post(ask);
    await expect
      .poll(() => server.stats().engines)
      .toEqual([{ name: 'scripted', active: 1, waiting: 0, concurrency: 1 }]);
    expect((await post(ask)).status).toBe(503);
    release(undefined);
    await (await first).text();
    expect(lines).toEqual(expect.arrayContaining(['queue {"engine":"scripted"}', 'queue ended with an error']));
  });

  test('provides the trace ID of the log line', async () => {
    const { observer } = recorder();
    const { promise: logged, resolve } = Promise.withResolvers<RequestLogEntry>();
    const traced: Observer = {
      startRequest(request) {
        const observation = observer.startRequest(request);
        return observation && { ...observation, traceId: '0af7651916cd43dd8448eb211c80319c' };
      },
    };
    const { post } = await listen({ engines: [scriptedEngine(() => says('Hi'))], observer: traced, log: resolve });
    await (await post(ask)).text();
    expect(await logged).toMatchObject({ status: 200, traceId: '0af7651916cd43dd8448eb211c80319c' });
  });

  test('can skip a request, which is answered but not observed', async () => {
    const { observer, lines, ended } = recorder();
    const skipping: Observer = {
      startRequest: (request) => (request.header('x-skip') === null ? observer.startRequest(request) : undefined),
    };
    const { post, url } = await listen({ engines: [scriptedEngine(() => says('Hi'))], observer: skipping });
    const skipped = { 'x-skip': '1', authorization: `Bearer ${key}` };
    expect((await post(ask, skipped)).status).toBe(200);
    expect((await fetch(`${url}/v1/unknown`, { headers: skipped })).status).toBe(404);
    expect(lines).toEqual([]);
    await (await post(ask)).text();
    expect(await ended).toMatchObject({ status: 200 });
  });

  test.each([
    ['GET', '/aaaa', 404, undefined],
    ['PROPFIND', '/v1/models', 405, undefined],
    ['GET', '/aaaa', 404, '0af7651916cd43dd8448eb211c80319c'],
  ])('%s %s is logged as %s with its duration and trace', async (method, path, status, clientTrace) => {
    const { observer, ended } = recorder();
    const traceId = 'b'.repeat(32);
    const traced: Observer = {
      startRequest(request) {
        const observation = observer.startRequest(request);
        return observation && (clientTrace === undefined ? { ...observation, traceId } : observation);
      },
    };
    const { promise: logged, resolve } = Promise.withResolvers<RequestLogEntry>();
    const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))], observer: traced, log: resolve });
    const headers = clientTrace === undefined ? {} : { traceparent: `00-${clientTrace}-b7ad6b7169203331-01` };
    await fetch(`${url}${path}`, { method, headers });
    const entry = await logged;
    expect(entry).toMatchObject({ status, route: undefined, traceId: clientTrace ?? traceId });
    expect(entry.durationMs).toBeGreaterThan(0);
    expect((await ended).durationMs).toBe(entry.durationMs);
  });

  test('observes requests to unknown paths', async () => {
    const { observer, lines, ended } = recorder();
    const { url } = await listen({ engines: [scriptedEngine(() => says('Hi'))], observer });
    await fetch(`${url}/v1/unknown`, { headers: { authorization: `Bearer ${key}` } });
    expect(await ended).toMatchObject({ status: 404, error: 'unknown_url' });
    expect(lines[0]).toBe('request GET - -');
  });
});
