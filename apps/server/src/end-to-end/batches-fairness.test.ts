import { expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, inputLine } from '../testing/batch-input.ts';
import { countingUpstream } from '../testing/counting-upstream.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';

test('a small batch does not wait for large batches of another project', async () => {
  const upstream = await countingUpstream(5);
  const server = await startTestServer({
    simulator: false,
    moderation: false,
    videos: false,
    upstreams: [{ baseURL: upstream.baseURL, name: 'counting' }],
    models: { counted: {} },
    batchConcurrency: 4,
  });
  onTestFinished(() => server.stop());
  const clientFor = async (project: string) => clientOf(server.url, await server.makeKey({ project }));
  const [busy, other] = [await clientFor('busy'), await clientFor('other')];
  const lines = (name: string, count: number) =>
    Array.from({ length: count }, (_, line) => inputLine(`${name} ${line}`, { model: 'counted' }));
  const large: string[] = [];
  for (let batch = 0; batch < 12; batch++) large.push((await createBatch(busy, lines(`large ${batch}`, 200))).id);
  const started = upstream.requestCounts.size;
  const { id } = await createBatch(other, lines('small', 20));
  await vi.waitFor(async () => expect((await other.batches.retrieve(id)).status).toBe('completed'), {
    timeout: 60_000,
    interval: 10,
  });
  // The worker alternates between projects: far fewer lines of the other project have run.
  expect(upstream.requestCounts.size - started).toBeLessThan(1000);
  const states = await Promise.all(large.map(async (one) => (await busy.batches.retrieve(one)).status));
  expect(states.filter((status) => status === 'in_progress').length).toBeLessThanOrEqual(4);
  expect(states).toContain('validating');
}, 600_000);
