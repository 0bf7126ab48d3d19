import { setTimeout as sleep } from 'node:timers/promises';
import { createSemaphore } from '@modelwire/adapter-kit';
import { expect, test } from 'vitest';
import { RequestError } from '../../errors.ts';
import { initialLimit } from '../../limits/adaptive-limit.ts';
import { contentOf, says, scriptedEngine } from '../../testing/scripted-engine.ts';
import { endpoint, lines, serve } from '../../testing/serve-batches.ts';

const lineMs = 60;

interface Capacity {
  /** Requests that the engine works on at the same time; others wait inside. */
  readonly slots: number;
  /** Requests that it has at the same time; others get a 429. */
  readonly capacity?: number;
}

/** An engine that takes some milliseconds for each request, and what it has seen. */
function busyEngine({ slots, capacity = Infinity }: Capacity) {
  const seen = { active: 0, mostAtOnce: 0, refusals: 0 };
  const semaphore = createSemaphore(slots);
  const engine = scriptedEngine(async function* () {
    if (seen.active >= capacity) {
      seen.refusals++;
      throw new RequestError('Too many requests.', { status: 429, headers: { 'retry-after-ms': '100' } });
    }
    seen.active++;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.active);
    try {
      await semaphore.run(() => sleep(lineMs));
    } finally {
      seen.active--;
    }
    yield* says('Hi');
  });
  return { engine, seen };
}

async function runBatch(capacity: Capacity, count: number) {
  const { engine, seen } = busyEngine(capacity);
  const { create, until, work } = await serve({ engines: [engine] });
  const { id } = await create(work.input(lines(count)));
  const { request_counts } = await until(id, 'completed');
  return { ...seen, request_counts };
}

// How many, and how few refusals, is shown with a virtual clock (adaptive-limit.test.ts): here it depends on the speed of the machine.
test('an engine with room gets more lines at once than in the beginning', async () => {
  const { mostAtOnce, request_counts } = await runBatch({ slots: 64 }, 600);
  expect(mostAtOnce).toBeGreaterThan(initialLimit);
  expect(request_counts).toEqual({ total: 600, completed: 600, failed: 0 });
});

test('an engine that does 4 and answers 429 beyond 6 refuses few lines, and none fails', async () => {
  const { refusals, request_counts } = await runBatch({ slots: 4, capacity: 6 }, 200);
  expect(refusals).toBeLessThan(100);
  expect(request_counts).toEqual({ total: 200, completed: 200, failed: 0 });
});

test('lines of one model do not take the slots of another', async () => {
  const slow = scriptedEngine(
    async function* (_, { signal }) {
      await sleep(60_000, undefined, { signal });
      yield* says('Hi');
    },
    { id: 'slow' },
  );
  const { create, until, work } = await serve({
    engines: [slow, scriptedEngine(() => says('Hi'))],
    batchConcurrency: 2,
  });
  await create(work.input(lines(10, { model: 'slow' })));
  const { id } = await create(work.input(lines(10)));
  expect((await until(id, 'completed')).request_counts).toMatchObject({ completed: 10 });
});

test('of two batches of a project, the one that expires first gets nearly all slots', async () => {
  const order: string[] = [];
  const engine = scriptedEngine(async function* (request) {
    order.push(contentOf(request));
    await sleep(10);
    yield* says('Hi');
  });
  const { client, until, work } = await serve({ engines: [engine], batchConcurrency: 4 });
  const create = (name: string, completion_window: string) => {
    const messages = [{ role: 'user', content: name }];
    const input_file_id = work.input(lines(60, { messages }));
    const params = { input_file_id, endpoint, completion_window };
    return client.post<{ readonly id: string }>('/batches', { body: params });
  };
  const later = await create('later', '2d');
  await expect.poll(() => order.length).toBeGreaterThan(5);
  const sooner = await create('sooner', '2h');
  await until(sooner.id, 'completed');
  const meanwhile = order.slice(order.indexOf('sooner'), order.lastIndexOf('sooner'));
  expect(meanwhile.filter((name) => name === 'later').length).toBeLessThan(12);
  await until(later.id, 'completed');
});

/** The mean time to first token of interactive requests, after the first ones. */
async function firstTokenMs(batchConcurrency: number | 'auto', withBatch: boolean): Promise<number> {
  const { engine } = busyEngine({ slots: 8 });
  const { create, client, work, batches } = await serve({ engines: [engine], batchConcurrency });
  const times: number[] = [];
  const ask = async (count: number): Promise<void> => {
    for (let request = 0; request < count; request++) {
      const startedAt = performance.now();
      const messages = [{ role: 'user' as const, content: 'Hello' }];
      const stream = await client.chat.completions.create({ model: 'scripted', messages, stream: true });
      for await (const { choices } of stream) {
        if (choices.length > 0 && times.length <= request) times.push(performance.now() - startedAt);
      }
    }
  };
  await ask(6);
  times.length = 0;
  if (!withBatch) {
    await ask(20);
    return mean(times);
  }
  const { id } = await create(work.input(lines(5000)));
  await expect.poll(async () => (await batches.retrieve(id)).request_counts?.completed).toBeGreaterThan(50);
  await ask(batchConcurrency === 'auto' ? 30 : 4);
  await batches.cancel(id);
  return mean(times.slice(-20));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

test('interactive requests wait far less for a batch than with a fixed number of lines', async () => {
  const alone = await firstTokenMs('auto', false);
  const withAuto = await firstTokenMs('auto', true);
  const withFixed = await firstTokenMs(64, true);
  expect(withAuto).toBeLessThan(2 * alone);
  expect(withFixed).toBeGreaterThan(4 * alone);
});
