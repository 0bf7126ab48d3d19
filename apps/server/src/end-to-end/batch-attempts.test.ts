import { expect, onTestFinished, test } from 'vitest';
import { createBatch, inputLine } from '../testing/batch-input.ts';
import { startFailingUpstream } from '../testing/failing-upstream.ts';
import { startTestServer } from '../testing/test-server.ts';

async function serveBatch() {
  const upstream = await startFailingUpstream();
  upstream.isDown = true;
  const server = await startTestServer({
    simulator: false,
    upstreams: [{ name: 'box', baseURL: upstream.baseURL }],
    circuitBreaker: { failures: 1000 },
    batchRetryDelayMs: 5,
  });
  onTestFinished(() => server.stop());
  const admin = await server.makeKey({ role: 'admin' });
  const get = (path: string) => fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${admin}` } });
  const readJson = async <Body>(path: string): Promise<Body> => (await (await get(path)).json()) as Body;
  const metric = async (series: string): Promise<number> => {
    const lines = (await (await get('/metrics')).text()).split('\n');
    return Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length) ?? 0);
  };
  const { id } = await createBatch(server.client, [inputLine('line-0', { model: 'm' })]);
  await expect
    .poll(() => metric('modelwire_upstream_attempts_total{upstream="box",outcome="failed"}'))
    .toBeGreaterThan(3);
  return { upstream, server, id, get, readJson, metric };
}

const chat = 'modelwire_requests_total{method="POST",route="/v1/chat/completions"';

test('attempts of a batch line that are repeated are no requests and no errors in metrics, usage and console', async () => {
  const { upstream, server, id, get, readJson, metric } = await serveBatch();
  upstream.isDown = false;
  await expect.poll(async () => (await server.client.batches.retrieve(id)).status).toBe('completed');
  const today = Math.floor(Date.now() / 86_400_000) * 86_400;
  const usagePath = `/v1/organization/usage/completions?start_time=${today - 86_400}`;
  type Usage = { data: { results: { num_model_requests: number }[] }[] };
  // The CLI prints this report.
  const requestCounts = async (): Promise<number[]> => {
    const { data } = await readJson<Usage>(usagePath);
    return data.flatMap(({ results }) => results.map(({ num_model_requests: count }) => count)).filter(Boolean);
  };
  await expect.poll(requestCounts).toEqual([1]);
  expect(await readJson('/console/api/usage')).toMatchObject({ total: { requests: 1, errors: 0 } });
  expect(await readJson('/console/api/errors')).toEqual({ errors: [] });
  expect(await metric('modelwire_batch_lines_total{outcome="completed"}')).toBe(1);
  expect(await metric('modelwire_batch_lines_total{outcome="failed"}')).toBe(0);
  expect(await (await get('/metrics')).text()).not.toContain(chat);
});
