import { memoryRateLimiter } from '../limits/memory-rate-limiter.ts';
import { ClientConnection } from '../limits/client-connection.ts';
import { createServerContext } from '../create-context.ts';
import { resolveOptions } from '../options/options.ts';
import { scriptedEngine } from '../testing/scripted-engine.ts';
import type { LogRecord } from '../call.ts';
import { expect, test, vi } from 'vitest';
import { admit, runAdmitted } from './admit.ts';
import type { AdmittedCall } from './admit.ts';
import { Accountant } from './accountant.ts';
import { noTokens } from './work.ts';
import type { LoadedWork, Work } from './work.ts';

const limit = 1000;

/** A server with a limit of tokens and one slot, and the work of a call to it, whose steps are recorded. */
function serve() {
  const engine = scriptedEngine(() => [], { concurrency: 1 });
  const rateLimiter = memoryRateLimiter({ tokensPerMinute: limit });
  const options = resolveOptions({ engines: [engine], keys: 'open', rateLimiter, maxBufferedBytes: limit });
  const counted: { readonly model: string; readonly tokens: number | undefined; readonly cost: number }[] = [];
  const steps: string[] = [];
  const context = createServerContext(options, { internalDispatches: new Map(), wakeWorker: () => undefined });
  const server = {
    ...context,
    meter: {
      ...context.meter,
      count: (_: unknown, model: string, usage: { readonly total_tokens: number } | undefined, cost: number) =>
        void counted.push({ model, tokens: usage?.total_tokens, cost }),
    },
    policies: {
      async get(principal: AdmittedCall['principal']) {
        steps.push('policy');
        return context.policies.get(principal);
      },
    },
    storageQuota: { ...context.storageQuota, assertHasSpace: async () => void steps.push('quota') },
  };
  const client = new ClientConnection();
  const logRecord: LogRecord = { requestId: 'r', method: 'POST', route: '/', status: 0, durationMs: 0 };
  const call: AdmittedCall = { client, logRecord, principal: { keyId: 'k', project: 'p' }, responseHeaders: {} };
  const usage = new Accountant(
    () => ({ tokens: 7, isEstimated: true }),
    (reported) => reported,
  );
  const queue = server.queues.get(engine);
  const work: Work<{ readonly model: { requested: string; id: string; metered: () => string } }, LoadedWork> = {
    isStored: true,
    find() {
      steps.push('model');
      return { model: { requested: 'alias', id: 'm', metered: () => 'm' } };
    },
    load(_, { memory }) {
      steps.push('inputs');
      memory.acquireNow(limit);
      const estimate = () => {
        steps.push('rate');
        return { prompt: 10, requiredOutput: 1, maxOutput: 90, outputToAdmit: 1 };
      };
      return { demand: { kind: 'tokens', estimate, advice: '' }, usage };
    },
    inspect(loaded) {
      steps.push('inspection');
      return loaded;
    },
    slot() {
      steps.push('slot');
      const outcome = () => ({ firstTokenAt: undefined, finishReasons: [] });
      return {
        queue,
        engine,
        tier: 'default',
        observed: { operation: 'chat', model: 'm', isStreamed: false },
        outcome,
      };
    },
  };
  /** What is left of the three limits. */
  const left = async () => ({
    tokens: Math.floor(
      (await rateLimiter.reserve([{ id: 'key:k' }], { required: 1, max: limit, minToAdmit: 1 })).reserved,
    ),
    slots: queue.concurrency - queue.active,
    hasMemory: server.bodyMemory.reserve().tryAcquire(limit) && server.bodyMemory.reserve().tryAcquire(0),
  });
  return { call, server, work, usage, client, steps, counted, left };
}

test('work is admitted in one order', async () => {
  const { call, server, work, steps } = serve();
  await admit(call, server, work);
  expect(steps).toEqual(['policy', 'model', 'quota', 'inputs', 'rate', 'inspection', 'slot']);
  expect(call.logRecord.model).toBe('m');
});

test.each(['find', 'load', 'inspect', 'slot'] as const)(
  'work that is refused by %s holds and costs nothing',
  async (step) => {
    const { call, server, work, counted, left } = serve();
    const refuse = () => {
      throw new Error('refused');
    };
    await expect(admit(call, server, { ...work, [step]: refuse })).rejects.toThrow('refused');
    expect(await left()).toMatchObject({ tokens: limit, slots: 1, hasMemory: true });
    expect(counted).toEqual([]);
  },
);

test('work that runs holds its reservation, and is charged what it used, once', async () => {
  const { call, server, work, usage, counted, left } = serve();
  const admission = await admit(call, server, work);
  expect(await left()).toMatchObject({ tokens: limit - 100, slots: 0 });
  usage.count(20);
  admission.end();
  admission.fail(new Error('late'));
  admission.end();
  expect(counted).toEqual([{ model: 'm', tokens: 27, cost: 0 }]);
  expect(call.logRecord).toMatchObject({ usage: { total_tokens: 27 }, usageIsEstimated: true });
  expect(await left()).toMatchObject({ slots: 1, hasMemory: true });
});

test('the first token of a streamed request is known to the lines of batches before the reply ends', async () => {
  const { call, server, work, usage } = serve();
  const onFirstToken = vi.fn();
  const ofModel = { ...server.lineSlots.of('m'), startInteractive: () => onFirstToken };
  const slot: typeof work.slot = (loaded) => {
    const common = work.slot(loaded);
    return common && { ...common, observed: { operation: 'chat', model: 'm', isStreamed: true } };
  };
  const admission = await admit(call, { ...server, lineSlots: { of: () => ofModel } }, { ...work, slot });
  usage.count(0);
  expect(onFirstToken).not.toHaveBeenCalled();
  usage.count(1);
  usage.count(1);
  expect(onFirstToken).toHaveBeenCalledExactlyOnceWith(expect.any(Number));
  admission.end();
  expect(onFirstToken).toHaveBeenCalledOnce();
});

test('the tokens that were reserved and not used are free again', async () => {
  const { call, server, work, usage, left } = serve();
  await runAdmitted(await admit(call, server, work), async () => usage.count(20));
  expect((await left()).tokens).toBe(limit - 27);
});

test('work that fails is counted only if it used tokens', async () => {
  const unused = serve();
  const fail = () => Promise.reject(new Error('down'));
  await expect(runAdmitted(await admit(unused.call, unused.server, unused.work), fail)).rejects.toThrow('down');
  expect(unused.counted).toEqual([]);
  const used = serve();
  const failLate = () => {
    used.usage.count(1);
    return fail();
  };
  await expect(runAdmitted(await admit(used.call, used.server, used.work), failLate)).rejects.toThrow('down');
  expect(used.counted).toMatchObject([{ tokens: 8 }]);
});

test('work whose client left after it reached the engine is charged its prompt, however it ends', async () => {
  const { call, server, work, client, counted } = serve();
  const admission = await admit(call, server, work);
  client.abort(undefined);
  admission.fail(new Error('of the engine'));
  admission.end();
  expect(counted).toMatchObject([{ tokens: 7 }]);
});

test('work that had failed before its client left is not charged', async () => {
  const { call, server, work, client, counted } = serve();
  const admission = await admit(call, server, work);
  admission.fail(new Error('of the engine'));
  client.abort(undefined);
  admission.end();
  expect(counted).toEqual([]);
});

test('work without tokens is charged its price, if it was done or had been reached when its client left', async () => {
  const priced = (isReached: boolean, isLeft: boolean) => async () => {
    const { call, server, work, client, counted } = serve();
    const loaded = { demand: { kind: 'cost', cost: 5 }, usage: noTokens } as const;
    const admission = await admit(call, server, { ...work, load: () => loaded, slot: () => undefined });
    if (isReached) admission.reach();
    if (isLeft) {
      client.abort(undefined);
      admission.fail(client.reason);
    }
    admission.end();
    return counted;
  };
  const charged = [{ model: 'm', tokens: undefined, cost: 5 }];
  expect(await priced(false, false)()).toEqual(charged);
  expect(await priced(true, true)()).toEqual(charged);
  expect(await priced(false, true)()).toEqual([]);
});
