import { afterEach, describe, expect, test, vi } from 'vitest';
import { engineRequest, rejection, relayWhole } from '../../test/engine-request.ts';
import { completion, fakeServer, json } from '../../test/fake-server.ts';
import type { FakeServer } from '../../test/fake-server.ts';
import { createUpstream } from '../upstream.ts';

let fakes: FakeServer[] = [];

afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(fakes.map((fake) => fake.close()));
});

describe('an abort during the pause between two attempts', () => {
  const abortReason = new Error('left');

  /** Makes pauses endless; the client disconnects when one starts. */
  function abortInPause(): AbortController {
    const controller = new AbortController();
    vi.spyOn(Math, 'random').mockImplementation(() => {
      setImmediate(() => controller.abort(abortReason));
      return 10_000;
    });
    return controller;
  }

  test('ends the request without another attempt', async () => {
    fakes = [await fakeServer((response) => json(response, 503, {}))];
    const engine = createUpstream({ upstreams: [{ baseURL: fakes[0]!.baseURL }], models: { m: {} } });
    const controller = abortInPause();
    await expect(relayWhole(engine, engineRequest({}, controller.signal))).rejects.toBe(abortReason);
    expect(fakes[0]!.requests).toHaveLength(1);
    await engine.close?.();
  });

  test('leaves the probe of a half-open circuit to the next request', async () => {
    const a = await fakeServer((response) => json(response, 503, {}));
    const b = await fakeServer((response, _, count) => json(response, count === 1 ? 503 : 200, completion));
    fakes = [a, b];
    const engine = createUpstream({
      upstreams: [
        { name: 'a', baseURL: a.baseURL },
        { name: 'b', baseURL: b.baseURL },
      ],
      models: { m: { upstreams: ['a'], fallback: ['b'] } },
      circuitBreaker: { failures: 1, cooldownMs: 1 },
      retries: 1,
    });
    const waitForCooldown = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
    await rejection(relayWhole(engine, engineRequest()));
    await waitForCooldown();
    const controller = abortInPause();
    await expect(relayWhole(engine, engineRequest({}, controller.signal))).rejects.toBe(abortReason);
    vi.restoreAllMocks();
    await waitForCooldown();
    expect(await relayWhole(engine, engineRequest())).toEqual(completion);
    expect(b.requests).toHaveLength(2);
    await engine.close?.();
  });
});
