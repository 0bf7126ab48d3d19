import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { memoryRateLimiter } from '@modelwire/server';
import { runConformance } from './index.ts';
import type { CheckResult, ConformanceOptions, ConformanceProgress, CreatedObject } from './index.ts';
import { withHeader, withMutation } from './testing/mutate.ts';
import type { Mutation } from './testing/mutate.ts';
import { mutations } from './testing/mutations.ts';
import { apiKey, baseURL, generousTimeouts, serve } from './testing/serve.ts';
import type { ConformanceTestServer } from './testing/serve.ts';

/** Behavior that most servers do not show in a run, so that the test provokes it. */
let served: ConformanceTestServer;
beforeAll(async () => {
  served = await serve();
});
afterAll(async () => served.close());

async function outcomesOf(
  only: readonly string[],
  mutation: Mutation = {},
  more: Partial<ConformanceOptions> = {},
): Promise<Readonly<Record<string, CheckResult['outcome']>>> {
  const fetch = withMutation(served.fetch, mutation);
  const { results } = await runConformance({ baseURL, apiKey, fetch, only, ...generousTimeouts, ...more });
  return Object.fromEntries(results.map(({ id, outcome }) => [id, outcome]));
}

describe('checks that put load on a server', () => {
  const only = ['http/large', 'http/burst', 'uploads.parts.create/refuses.large'];
  const heavy = { destructive: true };
  const passed = {
    'http/large': 'pass',
    'http/burst': 'pass',
    'uploads.parts.create/refuses.large': 'pass',
  };

  test('are skipped unless they are allowed, and the embedded server passes them', async () => {
    const skipped = Object.fromEntries(Object.keys(passed).map((id) => [id, 'skipped']));
    expect(await outcomesOf(only)).toEqual(skipped);
    expect(await outcomesOf(only, {}, heavy)).toEqual(passed);
  });

  test('detect a server without limits and one that breaks under load', async () => {
    const takesAll: Mutation = {
      mutateResponse: ({ status }) => (status === 400 || status === 413 ? { status: 200 } : undefined),
    };
    expect(await outcomesOf(only, takesAll, heavy)).toEqual({
      ...passed,
      'http/large': 'fail',
      'uploads.parts.create/refuses.large': 'fail',
    });
    let requestCount = 0;
    const breaks: Mutation = {
      mutateResponse: ({ request: { path } }) =>
        path === '/chat/completions' && ++requestCount > 100 ? { status: 502 } : undefined,
    };
    expect(await outcomesOf(['http/burst'], breaks, heavy)).toEqual({ 'http/burst': 'fail' });
    let later = 0;
    const busy: Mutation = {
      mutateResponse: ({ request: { path } }) =>
        path === '/chat/completions' && ++later % 10 === 0 ? { status: 503 } : undefined,
    };
    expect(await outcomesOf(['http/burst'], busy, heavy)).toEqual({ 'http/burst': 'pass' });
  });
});

describe('a 429', () => {
  const error = { message: 'Slow down.', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' };
  const limits = (headers: Record<string, string>, body: unknown): Mutation => {
    let requestCount = 0;
    return {
      mutateResponse: () =>
        ++requestCount % 3 === 0
          ? { status: 429, headers: new Headers(headers), text: JSON.stringify(body) }
          : undefined,
    };
  };
  const json = { 'content-type': 'application/json' };

  test.each([
    ['passes with the shape of errors and seconds to wait', limits({ ...json, 'retry-after': '0' }, { error }), 'pass'],
    ['fails without retry-after', limits(json, { error }), 'fail'],
    ['fails with a retry-after that is not a number', limits({ ...json, 'retry-after': 'soon' }, { error }), 'fail'],
    ['fails in another shape', limits({ ...json, 'retry-after': '0' }, { detail: 'Slow down.' }), 'fail'],
    ['is skipped without one', {}, 'skipped'],
  ])('%s', async (_, mutation, outcome) => {
    const all = await outcomesOf(['models', 'http/rate-limit'], mutation);
    expect(all['http/rate-limit']).toBe(outcome);
  });
});

describe('a rate limit', () => {
  const races = ['http/rate-limit.falls', 'http/rate-limit.requests', 'http/rate-limit.tokens'];
  const run = async (mutation: Mutation, server = served) =>
    Object.values(
      await outcomesOf(races, mutation, { fetch: withMutation(server.fetch, mutation), destructive: true }),
    );
  const states = (
    kind: string,
    remaining: (sent: number) => number,
    limit = kind === 'tokens' ? 2000 : 5,
  ): Mutation => {
    let sent = 0;
    return {
      mutateResponse: ({ headers, request }) =>
        request.path === '/chat/completions'
          ? {
              headers: [
                [`x-ratelimit-limit-${kind}`, String(limit)],
                [`x-ratelimit-remaining-${kind}`, String(remaining(sent++))],
                [`x-ratelimit-reset-${kind}`, '10m0s'],
              ].reduce((changed, [name = '', value = '']) => withHeader(changed, name, value), headers),
            }
          : undefined,
    };
  };

  test('that is not stated is skipped', async () => {
    expect(await run({})).toEqual(['skipped', 'skipped', 'skipped']);
  });

  test('holds for concurrent requests of the embedded server', async () => {
    const limits = [{ requestsPerMinute: 10 }, { tokensPerMinute: 3000 }];
    const outcomes = limits.map(async (limit) => {
      const server = await serve({ rateLimiter: memoryRateLimiter(limit) });
      const outcome = await run({}, server);
      await server.close();
      return outcome;
    });
    expect(await Promise.all(outcomes)).toEqual([
      ['pass', 'pass', 'skipped'],
      ['skipped', 'skipped', 'pass'],
    ]);
  });

  test('that is refilled as fast as the checks use it is skipped', async () => {
    expect(await run(states('requests', () => 5, 1e9))).toEqual(['skipped', 'skipped', 'skipped']);
  });

  test('that is not enforced, or does not fall, is found', async () => {
    expect(await run(states('requests', (sent) => Math.max(0, 4 - sent)))).toEqual(['pass', 'fail', 'skipped']);
    expect(await run(states('requests', () => 5))).toEqual(['fail', 'fail', 'skipped']);
    expect(await run(states('tokens', () => 1000))).toEqual(['skipped', 'skipped', 'fail']);
  });
});

describe('an error within a stream', () => {
  const error = { message: 'It broke.', type: 'server_error', param: null, code: null };
  const ending = (...events: readonly unknown[]): Mutation => ({
    mutateResponse: ({ text }) => {
      if (!text.startsWith('data: ')) return undefined;
      const [first = ''] = text.split('\n\n');
      const last = events.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`);
      return { text: `${first}\n\n${last.join('')}` };
    },
  });
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [] };

  test.each([
    ['passes as the last event', ending({ error }), 'pass'],
    ['passes as the last event before [DONE]', ending({ error }, '[DONE]'), 'pass'],
    ['fails if the stream continues', ending({ error }, chunk, '[DONE]'), 'fail'],
    ['fails in another shape', ending({ error: 'It broke.' }), 'fail'],
    ['is skipped without one', {}, 'skipped'],
  ])('%s', async (_, mutation, outcome) => {
    const all = await outcomesOf(['chat.completions.create/stream.done', 'http/error-frames'], mutation);
    expect(all['http/error-frames']).toBe(outcome);
  });
});

test('progress has what is done, what has failed and what runs', async () => {
  const progress: ConformanceProgress[] = [];
  const { results, counts } = await runConformance({
    ...{ baseURL, apiKey, ...generousTimeouts, only: ['models'], concurrency: 2 },
    fetch: withMutation(served.fetch, mutations['has other objects'] ?? {}),
    onProgress: (state) => progress.push(state),
  });
  const total = results.length;
  expect(total).toBeGreaterThan(5);
  expect([...new Set(progress.map(({ done }) => done))]).toEqual([...Array(total + 1).keys()]);
  expect(progress.some(({ running }) => running.length === 2)).toBe(true);
  expect(new Set(progress.flatMap(({ running }) => running))).toEqual(new Set(results.map(({ id }) => id)));
  expect(counts.fail).toBeGreaterThan(0);
  expect(progress.at(-1)).toEqual({ done: total, total, earlier: 0, failed: counts.fail + counts.error, running: [] });
});

test('a run removes what a killed one has created', async () => {
  const created: CreatedObject[] = [];
  const options = {
    baseURL,
    apiKey,
    ...generousTimeouts,
    only: ['files.create', 'batches.create', 'chat.completions.list'],
  };
  // Nothing that the first run sends to remove its objects arrives.
  const killed: typeof fetch = async (input, init) => {
    const { method, url } = new Request(input, { method: init?.method ?? 'GET' });
    const removes = method === 'DELETE' || url.endsWith('/cancel');
    return removes ? Response.json({}, { status: 500 }) : served.fetch(input, init);
  };
  const onCreated = (object: CreatedObject): void => void created.push(object);
  const first = await runConformance({ ...options, fetch: killed, onCreated });
  expect(first.notDeleted.length).toBeGreaterThan(5);
  const left = async (): Promise<readonly string[]> => {
    const authorization = `Bearer ${apiKey}`;
    const statusOf = async ({ path }: CreatedObject): Promise<number> =>
      (await served.fetch(`${baseURL}${path.replace(/\/cancel$/, '')}`, { headers: { authorization } })).status;
    const statuses = await Promise.all(created.map(async (one) => ({ name: one.name, status: await statusOf(one) })));
    return statuses.filter(({ status }) => status === 200).map(({ name }) => name);
  };
  expect((await left()).length).toBe(created.length);
  // They stay known while they cannot be removed, or the server cannot be reached.
  const later = { ...options, only: ['models.list'], leftovers: created };
  expect((await runConformance({ ...later, fetch: killed })).notDeleted).toEqual(first.notDeleted);
  const unreachable: typeof fetch = async () => Promise.reject(new Error('refused'));
  const names = created.map(({ name }) => name);
  expect((await runConformance({ ...later, fetch: unreachable })).notDeleted).toEqual(names);
  const next = await runConformance({ ...later, fetch: served.fetch });
  expect(next.notDeleted).toEqual([]);
  expect((await left()).filter((name) => !name.startsWith('batch '))).toEqual([]);
});

test('a run removes what its streams have stored', async () => {
  const options = { baseURL, apiKey, fetch: served.fetch, ...generousTimeouts };
  const removed: string[] = [];
  const watching = withMutation(served.fetch, {
    mutateResponse: ({ request: { method, path }, status }) => {
      if (method === 'DELETE' && status === 200) removed.push(path.split('/')[1] ?? '');
      return undefined;
    },
  });
  const only = ['chat.completions.list/streamed', 'responses.create/stream'];
  const { counts, notDeleted } = await runConformance({ ...options, fetch: watching, only });
  expect([counts.fail, notDeleted]).toEqual([0, []]);
  const response = await served.fetch(`${baseURL}/chat/completions`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  expect(await response.json()).toMatchObject({ data: [] });
  expect(removed).toContain('chat');
});

test('an error thrown by onResult rejects the run after its cleanup', async () => {
  const options = { baseURL, apiKey, fetch: served.fetch, ...generousTimeouts };
  const createdIds = new Set<string>();
  const removed = new Set<string>();
  const watching = withMutation(served.fetch, {
    mutateResponse: ({ request: { method, path }, status, text }) => {
      const [, id] = /"id": ?"(file[^"]*)"/.exec(text) ?? [];
      if (method === 'POST' && path === '/files' && status === 200 && id !== undefined) createdIds.add(id);
      if (method === 'DELETE' && status === 200) removed.add(path.replace('/files/', ''));
      return undefined;
    },
  });
  let resultCount = 0;
  const wrong = new Error('no more');
  const onResult = (): void => {
    if (++resultCount === 5) throw wrong;
  };
  await expect(runConformance({ ...options, fetch: watching, only: ['files'], onResult })).rejects.toBe(wrong);
  expect(resultCount).toBe(5);
  expect(createdIds.size).toBeGreaterThan(0);
  expect([...removed].sort()).toEqual([...createdIds].sort());
});
