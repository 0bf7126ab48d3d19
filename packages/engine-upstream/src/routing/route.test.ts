import { expect, onTestFinished, test } from 'vitest';
import { drainStream, engineRequest } from '../../test/engine-request.ts';
import { chunk, fakeServer, frames, startEventStream } from '../../test/fake-server.ts';
import { createUpstream } from '../index.ts';
import type { RoutingDeviation, RoutingOptions, RoutingPolicy, SlowUpstreamChange } from '../index.ts';

interface Setup {
  readonly policy?: RoutingPolicy;
  readonly routing?: RoutingOptions;
}

/** Model `m` at the upstreams `a` and `b`, whose replies wait for `hold`, or answer 503. */
async function start({ policy = 'affinity', routing = {} }: Setup = {}) {
  const deviations: RoutingDeviation[] = [];
  const slowChanges: SlowUpstreamChange[] = [];
  const failing = new Set<string>();
  const delays = new Map<string, number>();
  let hold: Promise<undefined> | undefined;
  const names = ['a', 'b'];
  const fakes = await Promise.all(
    names.map((name) =>
      fakeServer((response) => {
        if (failing.has(name)) return void response.writeHead(503).end();
        const send = async (): Promise<void> => {
          await hold;
          await new Promise((resolve) => setTimeout(resolve, delays.get(name)));
          startEventStream(response).end(frames(chunk({ content: name }), chunk({}, 'stop'), '[DONE]'));
        };
        void send();
      }),
    ),
  );
  const engine = createUpstream({
    upstreams: fakes.map(({ baseURL }, index) => ({ name: names[index] ?? '', baseURL })),
    models: { m: { routing: policy } },
    circuitBreaker: { failures: 1, cooldownMs: 300 },
    routing: {
      ...routing,
      onDeviation: (deviation) => deviations.push(deviation),
      onSlowChange: (change) => slowChanges.push(change),
    },
  });
  onTestFinished(async () => {
    await engine.close?.();
    await Promise.all(fakes.map((fake) => fake.close()));
  });
  const ask = async (key: string): Promise<string | undefined> => {
    const upstreams: string[] = [];
    const { request, context } = engineRequest({ stream: true, prompt_cache_key: key });
    const reportUpstream = (name: string): void => void upstreams.push(name);
    const { error } = await drainStream(engine, { request, context: { ...context, reportUpstream } });
    expect(error).toBeUndefined();
    return upstreams.at(-1);
  };
  const askAll = (keys: readonly string[]) => Promise.all(keys.map(ask));
  return {
    ...{ ask, askAll, deviations, slowChanges, failing, delays },
    holdReplies() {
      const held = Promise.withResolvers<undefined>();
      hold = held.promise;
      return () => held.resolve(undefined);
    },
  };
}

const manyKeys = Array.from({ length: 40 }, (_, index) => `key ${index}`);

test('requests with the same key go to the same upstream', async () => {
  const { ask, askAll, deviations } = await start({ routing: { minimumInFlight: 100 } });
  const first = await askAll(manyKeys);
  expect(new Set(first)).toEqual(new Set(['a', 'b']));
  for (const [index, key] of manyKeys.entries()) expect(await ask(key)).toBe(first[index]);
  expect(deviations).toEqual([]);
});

test('only the keys of an upstream that fails move, and they return when it has recovered', async () => {
  const { askAll, deviations, failing } = await start({ routing: { minimumInFlight: 100 } });
  const before = await askAll(manyKeys);
  failing.add('a');
  await askAll(manyKeys);
  expect(await askAll(manyKeys)).toEqual(manyKeys.map(() => 'b'));
  expect(deviations).toContainEqual({
    requestId: 'req_1',
    model: 'm',
    preferred: 'a',
    upstream: 'b',
    reason: 'paused',
  });
  failing.clear();
  await expect.poll(() => askAll(manyKeys), { timeout: 5000 }).toEqual(before);
});

test('an upstream with the minimum in flight takes no more than 1.25 of its share of one key', async () => {
  const { askAll, deviations, holdReplies } = await start({ routing: { minimumInFlight: 4 } });
  const release = holdReplies();
  const asked = askAll(Array.from({ length: 40 }, () => 'one key'));
  await expect.poll(() => deviations.length).toBeGreaterThanOrEqual(15);
  release();
  const upstreams = await asked;
  const [preferred = ''] = deviations.map((deviation) => deviation.preferred);
  expect(upstreams.filter((name) => name === preferred).length).toBe(25);
  expect(new Set(deviations.map(({ reason }) => reason))).toEqual(new Set(['over its share']));
});

test('least-loaded sends concurrent requests of one key to both upstreams alike', async () => {
  const { askAll, holdReplies } = await start({ policy: 'least-loaded' });
  const release = holdReplies();
  const asked = askAll(Array.from({ length: 20 }, () => 'one key'));
  release();
  expect((await asked).filter((name) => name === 'a')).toHaveLength(10);
});

test('weighted ignores the key', async () => {
  const { askAll } = await start({ policy: 'weighted' });
  expect(new Set(await askAll(Array.from({ length: 40 }, () => 'one key')))).toEqual(new Set(['a', 'b']));
});

test('an upstream whose first tokens are slow loses most of its keys', { timeout: 30_000 }, async () => {
  const { ask, askAll, slowChanges, deviations, delays } = await start({ routing: { minimumInFlight: 100 } });
  // One after the other: many at once take longer on a busy machine, and would not be so different from the slow ones.
  for (let round = 0; round < 3; round++) for (const key of manyKeys) await ask(key);
  delays.set('a', 2000);
  for (let round = 0; round < 3 && slowChanges.length === 0; round++) await askAll(manyKeys);
  expect(slowChanges).toEqual([{ upstream: 'a', model: 'm', isSlow: true }]);
  const upstreams = await askAll(manyKeys);
  expect(upstreams.filter((name) => name === 'a').length).toBeLessThan(8);
  expect(deviations.at(-1)).toMatchObject({ preferred: 'a', upstream: 'b', reason: 'slow' });
});
