import { expect, test } from 'vitest';
import type { EventLoopStall } from './event-loop.ts';
import { createActiveRequests } from './active-requests.ts';
import { key, listen } from '../testing/listen.ts';
import { wordModeration } from '../testing/moderation-engine.ts';

const request = (requestId: string) => ({ requestId, method: 'GET', route: '/v1/models' });

test('a handler that blocks the event loop is reported with its request and route', async () => {
  const engine = wordModeration();
  const blocking = {
    ...engine,
    moderate: (...args: Parameters<typeof engine.moderate>) => {
      const until = performance.now() + 400;
      while (performance.now() < until);
      return engine.moderate(...args);
    },
  };
  const stalls: EventLoopStall[] = [];
  const { url } = await listen({
    engines: [],
    moderationEngines: [blocking],
    eventLoopStallMs: 200,
    onEventLoopStall: (stall) => stalls.push(stall),
  });
  const response = await fetch(`${url}/v1/moderations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'fine' }),
  });
  expect(response.status).toBe(200);
  const expected = { requestId: response.headers.get('x-request-id'), method: 'POST', route: '/v1/moderations' };
  // On a busy machine, other stalls may be reported before.
  const found = () => stalls.find(({ requests }) => requests.some(({ requestId }) => requestId === expected.requestId));
  await expect.poll(found, { timeout: 30_000 }).toBeDefined();
  expect(found()?.requests).toContainEqual(expected);
  expect(found()?.durationMs).toBeGreaterThanOrEqual(200);
});

test('drainRecent returns requests that ended since the last call, and only once', () => {
  const activeRequests = createActiveRequests();
  const unregister = activeRequests.register(request('a'));
  activeRequests.register(request('b'));
  unregister();
  expect(activeRequests.drainRecent().map(({ requestId }) => requestId)).toEqual(['b', 'a']);
  expect(activeRequests.drainRecent().map(({ requestId }) => requestId)).toEqual(['b']);
});

test('drainRecent returns at most the 32 requests that ended last', () => {
  const activeRequests = createActiveRequests();
  for (let i = 0; i < 1000; i++) activeRequests.register(request(`${i}`))();
  const ids = activeRequests.drainRecent().map(({ requestId }) => requestId);
  expect(ids).toHaveLength(32);
  expect(ids.slice(0, 2)).toEqual(['999', '998']);
});
