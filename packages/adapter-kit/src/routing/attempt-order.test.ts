import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attemptOrder, deviationReason, preferredUpstream, recentPeak, routingPolicies } from './attempt-order.ts';
import type { Candidate, LoadBound, RoutingPolicy } from './attempt-order.ts';
import { hashText } from './rendezvous.ts';

interface State {
  readonly name: string;
  readonly weight?: number;
  readonly load?: number;
  readonly isPaused?: boolean;
  readonly isSlow?: boolean;
}

interface Upstream extends Candidate {
  readonly name: string;
}

function upstream({ name, weight = 1, load = 0, isPaused = false, isSlow = false }: State): Upstream {
  return { name, hash: hashText(name), weight, inFlight: () => load, isPaused: () => isPaused, isSlow: () => isSlow };
}

const keys = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => hashText(`key ${index}`));
interface Setup extends Partial<LoadBound> {
  readonly policy?: RoutingPolicy;
}

function routing(key: number, { policy = 'affinity', ...bound }: Setup = {}) {
  return { policy, key, bound: { minimumInFlight: 8, sharedLoad: (inFlight: number) => inFlight, ...bound } };
}
const order = (shared: readonly Upstream[], key: number, setup?: Setup): string[] =>
  [...attemptOrder(shared, [], routing(key, setup))].map(({ name }) => name);
const preferred = (shared: readonly Upstream[], key: number): string | undefined =>
  preferredUpstream(shared, key)?.name;

/** Two to eight upstreams with weights from 1 to 5. */
const pools = fc
  .uniqueArray(fc.stringMatching(/^[a-z0-9.:-]{1,12}$/), { minLength: 2, maxLength: 8 })
  .chain((names) =>
    fc.tuple(...names.map((name) => fc.record({ name: fc.constant(name), weight: fc.integer({ min: 1, max: 5 }) }))),
  );

test('a key has the same order on every machine', () => {
  expect(hashText('gpu-1')).toBe(0xdfe1f80e);
  const shared = ['gpu-1', 'gpu-2', 'gpu-3', 'gpu-4'].map((name) => upstream({ name }));
  expect(order(shared, hashText('a conversation'))).toEqual(order([...shared].reverse(), hashText('a conversation')));
  expect(order(shared, hashText('a conversation'))).toEqual(['gpu-3', 'gpu-2', 'gpu-4', 'gpu-1']);
});

test.each(routingPolicies)('with the policy %s, idle upstreams get requests by weight', (policy) => {
  const shared = [upstream({ name: 'a', weight: 1 }), upstream({ name: 'b', weight: 3 })];
  const share = keys(10_000).filter((key) => order(shared, key, { policy })[0] === 'a').length / 10_000;
  // Of two idle upstreams, `least-loaded` prefers the one with the higher weight even more.
  expect(share).toBeGreaterThan(policy === 'least-loaded' ? 0.15 : 0.235);
  expect(share).toBeLessThan(policy === 'least-loaded' ? 0.19 : 0.265);
});

test.each(routingPolicies)(
  'with the policy %s, each upstream is tried once, the fallback last and in its order',
  (policy) => {
    fc.assert(
      fc.property(pools, fc.nat(), fc.boolean(), (pool, key, isPaused) => {
        const shared = pool.map((state, index) => upstream({ ...state, isPaused: isPaused && index % 2 === 0 }));
        const fallback = [upstream({ name: 'FALLBACK-2' }), upstream({ name: 'FALLBACK-1' })];
        const names = [...attemptOrder(shared, fallback, routing(key, { policy }))].map(({ name }) => name);
        expect(names.slice(-2)).toEqual(['FALLBACK-2', 'FALLBACK-1']);
        expect(names.slice(0, -2).sort()).toEqual(pool.map(({ name }) => name).sort());
      }),
    );
  },
);

test('an upstream of weight 0 is tried after the others, but before those that are paused', () => {
  const shared = [upstream({ name: 'c', weight: 0 }), upstream({ name: 'a' }), upstream({ name: 'b', isPaused: true })];
  for (const policy of routingPolicies)
    for (const key of keys(50)) expect(order(shared, key, { policy })).toEqual(['a', 'c', 'b']);
});

test('removing an upstream moves its keys only, and adding one moves keys to it only', () => {
  fc.assert(
    fc.property(pools, fc.nat(), (pool, removed) => {
      const all = pool.map(upstream);
      const { name: gone } = pool[removed % pool.length]!;
      const others = all.filter(({ name }) => name !== gone);
      for (const key of keys(200)) {
        const before = preferred(all, key);
        if (before !== gone) expect(preferred(others, key)).toBe(before);
      }
    }),
  );
});

test('a higher weight moves keys to the upstream only', () => {
  fc.assert(
    fc.property(pools, fc.integer({ min: 2, max: 10 }), (pool, factor) => {
      const [first, ...rest] = pool;
      const before = pool.map(upstream);
      const after = [upstream({ ...first!, weight: first!.weight * factor }), ...rest.map(upstream)];
      for (const key of keys(200)) {
        if (preferred(after, key) !== first!.name) expect(preferred(after, key)).toBe(preferred(before, key));
      }
    }),
  );
});

test('keys are shared by weight', () => {
  fc.assert(
    fc.property(pools, (pool) => {
      const shared = pool.map(upstream);
      const total = pool.reduce((sum, { weight }) => sum + weight, 0);
      const counts = new Map<string | undefined, number>();
      for (const key of keys(4000)) counts.set(preferred(shared, key), (counts.get(preferred(shared, key)) ?? 0) + 1);
      for (const { name, weight } of pool) {
        expect(Math.abs((counts.get(name) ?? 0) / 4000 - weight / total)).toBeLessThan(0.04);
      }
    }),
    { numRuns: 30 },
  );
});

test('a paused upstream is tried last, and the others keep their order', () => {
  fc.assert(
    fc.property(pools, fc.nat(), fc.nat(), (pool, key, paused) => {
      const { name: gone } = pool[paused % pool.length]!;
      const healthy = order(pool.map(upstream), key);
      const now = order(
        pool.map((state) => upstream({ ...state, isPaused: state.name === gone })),
        key,
      );
      expect(now).toEqual([...healthy.filter((name) => name !== gone), gone]);
    }),
  );
});

test('no upstream takes more than 1.25 of its fair share once it has the minimum in flight', () => {
  const minimumInFlight = 8;
  const requests = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 50, maxLength: 300 });
  fc.assert(
    fc.property(pools, requests, (pool, hotKeys) => {
      const loads = new Map(pool.map(({ name }) => [name, 0]));
      const shared = pool.map((state): Upstream => ({
        ...upstream(state),
        inFlight: () => loads.get(state.name) ?? 0,
      }));
      const totalWeight = pool.reduce((sum, { weight }) => sum + weight, 0);
      for (const [index, hot] of hotKeys.entries()) {
        const [name = ''] = order(shared, hashText(`hot ${hot}`), { minimumInFlight });
        const load = (loads.get(name) ?? 0) + 1;
        loads.set(name, load);
        const { weight } = pool.find((state) => state.name === name)!;
        const share = ((index + 1) * weight) / totalWeight;
        expect(load).toBeLessThanOrEqual(Math.max(minimumInFlight, Math.ceil(1.25 * share)));
      }
    }),
  );
});

test('beyond its share, requests go to the next upstream in the order of the key', () => {
  const names = ['a', 'b', 'c'];
  for (const key of keys(50)) {
    const [first, second, third] = order(
      names.map((name) => upstream({ name })),
      key,
    );
    const loaded = names.map((name) => upstream({ name, load: name === first ? 8 : 0 }));
    expect(order(loaded, key)).toEqual([second, third, first]);
    expect(order(loaded, key, { minimumInFlight: 9 })).toEqual([first, second, third]);
    expect(deviationReason(preferredUpstream(loaded, key)!)).toBe('over its share');
  }
});

test('the shared load is the recent peak, which halves every ten seconds', () => {
  let nowMs = 0;
  const sharedLoad = recentPeak(() => nowMs);
  const loads = [16, 3, 5].map(sharedLoad);
  expect(loads).toEqual([16, 16, 16]);
  nowMs = 10_000;
  expect(sharedLoad(3)).toBeCloseTo(8);
  nowMs = 40_000;
  expect(sharedLoad(3)).toBe(3);
  const [first = '', second = ''] = order([upstream({ name: 'a' }), upstream({ name: 'b' })], 1);
  const shared = [upstream({ name: first, load: 9 }), upstream({ name: second, load: 1 })];
  expect(order(shared, 1)).toEqual([second, first]);
  expect(order(shared, 1, { sharedLoad: () => 16 })).toEqual([first, second]);
});

test('a slow upstream keeps about a tenth of its keys and gets no others', () => {
  const states = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
  const healthy = states.map(upstream);
  const slowed = states.map((state) => upstream({ ...state, isSlow: state.name === 'a' }));
  const own = keys(4000).filter((key) => preferred(healthy, key) === 'a');
  const kept = own.filter((key) => order(slowed, key)[0] === 'a');
  expect(kept.length / own.length).toBeGreaterThan(0.09);
  expect(kept.length / own.length).toBeLessThan(0.16);
  for (const key of keys(4000)) {
    if (preferred(healthy, key) !== 'a') expect(order(slowed, key)[0]).toBe(preferred(healthy, key));
  }
  expect(deviationReason(slowed[0]!)).toBe('slow');
  expect(deviationReason(upstream({ name: 'a', isPaused: true, isSlow: true }))).toBe('paused');
});

test('the least loaded upstream for its weight is the first', () => {
  const shared = [upstream({ name: 'a', load: 3, weight: 1 }), upstream({ name: 'b', load: 8, weight: 4 })];
  for (const key of keys(50)) expect(order(shared, key, { policy: 'least-loaded' })).toEqual(['b', 'a']);
});
