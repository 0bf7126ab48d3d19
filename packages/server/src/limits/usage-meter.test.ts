import { expect, test } from 'vitest';
import type { UsageIncrement } from '@modelwire/ports';
import { createUsageMeter } from './usage-meter.ts';

const principal = { keyId: 'key_1', project: 'p' };
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5, prompt_tokens_details: { cached_tokens: 1 } };

function recorder() {
  const written: UsageIncrement[][] = [];
  const state = { isBroken: false };
  return {
    written,
    state,
    store: {
      async add(increments: readonly UsageIncrement[]) {
        if (state.isBroken) throw new Error('the store is unavailable');
        written.push([...increments]);
      },
      read: async () => [],
    },
  };
}

test('requests of a day, project, key and model are one increment, written together', async () => {
  const { store, written } = recorder();
  const meter = createUsageMeter({
    store,
    intervalMs: 60_000,
    onError: () => undefined,
    now: () => 86_400_000 * 2 + 5,
  });
  meter.count(principal, 'm', usage);
  meter.count(principal, 'm', usage);
  meter.count(principal, 'other', undefined);
  await meter.flush();
  const at = { day: 172_800, project: 'p', keyId: 'key_1' };
  expect(written).toEqual([
    [
      { ...at, model: 'm', requests: 2, inputTokens: 6, outputTokens: 4, cachedTokens: 2, costMicros: 0 },
      { ...at, model: 'other', requests: 1, inputTokens: 0, outputTokens: 0, cachedTokens: 0, costMicros: 0 },
    ],
  ]);
});

test('entries of a failed write are written with the next', async () => {
  const { store, written, state } = recorder();
  const errors: unknown[] = [];
  const meter = createUsageMeter({ store, intervalMs: 60_000, onError: (error) => errors.push(error) });
  state.isBroken = true;
  meter.count(principal, 'm', usage);
  await meter.flush();
  expect(errors).toHaveLength(1);
  state.isBroken = false;
  meter.count(principal, 'm', usage);
  await meter.flush();
  expect(written.flat()).toMatchObject([{ requests: 2 }]);
});

test('writes at intervals, and nothing without usage', async () => {
  const { store, written } = recorder();
  const meter = createUsageMeter({ store, intervalMs: 5, onError: () => undefined });
  await meter.flush();
  expect(written).toEqual([]);
  meter.count(principal, 'm', usage);
  await expect.poll(() => written.length).toBe(1);
});
