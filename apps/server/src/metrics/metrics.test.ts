import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, key, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ maxQueuedRequests: 8 });
});
afterAll(() => server.stop());

/** The values of all series, by name and labels. */
async function scrape(url = server.url, headers: Record<string, string> = {}): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${url}/metrics`, { headers });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

async function rise(series: string, act: () => Promise<unknown>): Promise<number> {
  const before = (await scrape()).get(series) ?? 0;
  await act();
  return ((await scrape()).get(series) ?? 0) - before;
}

const ask = { model: 'simulator', messages: [{ role: 'user' as const, content: 'Hello' }] };
const chat = 'route="/v1/chat/completions"';

describe('GET /metrics', () => {
  test('counts requests by route, status and error code', async () => {
    const completed = `modelwire_requests_total{method="POST",${chat},status="200",code=""}`;
    expect(await rise(completed, () => server.client.chat.completions.create(ask))).toBe(1);
    const unknown = `modelwire_requests_total{method="POST",${chat},status="404",code="model_not_found"}`;
    const failing = server.client.chat.completions.create({ ...ask, model: 'unknown' });
    expect(await rise(unknown, () => failing.catch(() => undefined))).toBe(1);
  });

  test('counts the tokens of the usage of the reply', async () => {
    let output = 0;
    const series = 'modelwire_tokens_total{model="simulator",type="output"}';
    const counted = await rise(series, async () => {
      const { usage } = await server.client.chat.completions.create(ask);
      output = usage?.completion_tokens ?? 0;
    });
    expect(output).toBeGreaterThan(0);
    expect(counted).toBe(output);
  });

  test('measures the time to the first token of a stream, and counts its outcome', async () => {
    const stream = async () => {
      for await (const chunk of await server.client.chat.completions.create({ ...ask, stream: true }))
        expect(chunk.object).toBe('chat.completion.chunk');
    };
    expect(await rise('modelwire_time_to_first_token_seconds_count{model="simulator"}', stream)).toBe(1);
    expect(await rise(`modelwire_streams_total{${chat},outcome="completed"}`, stream)).toBe(1);
  });

  test('counts a disconnected client as aborted, and no request stays in flight', async () => {
    const slow = await startTestServer({ simulator: { tokensPerSecond: 5 } });
    try {
      const stream = await slow.client.chat.completions.create({ ...ask, stream: true });
      for await (const chunk of stream) {
        expect(chunk.object).toBe('chat.completion.chunk');
        break;
      }
      await expect
        .poll(async () => (await scrape(slow.url)).get(`modelwire_streams_total{${chat},outcome="aborted"}`))
        .toBe(1);
      const series = await scrape(slow.url);
      expect(series.get('modelwire_requests_in_flight')).toBe(0);
      const generations = 'modelwire_generations_total{model="simulator",operation="chat",outcome=';
      expect(series.get(`${generations}"aborted"}`)).toBe(1);
      expect(series.get(`${generations}"failed"}`)).toBe(0);
      expect(series.get('modelwire_engine_active{engine="simulator"}')).toBe(0);
    } finally {
      await slow.stop();
    }
  });

  test('model names that clients invent are not used as label values', async () => {
    for (let index = 0; index < 20; index++) {
      await server.client.chat.completions.create({ ...ask, model: `made-up-${index}` }).catch(() => undefined);
      await fetch(`${server.url}/v1/made-up-${index}`, { method: 'PROPFIND' });
    }
    const series = [...(await scrape()).keys()];
    expect(series.filter((name) => name.includes('made-up'))).toEqual([]);
    expect(series.filter((name) => name.includes('PROPFIND'))).toEqual([]);
  });

  test('measures the database, stored files, connections and the process', async () => {
    const file = new File(['{"a":1}\n'], 'data.jsonl');
    const upload = () => server.client.files.create({ file, purpose: 'user_data' });
    expect(await rise('modelwire_file_bytes_total{source="file"}', upload)).toBe(8);
    const series = await scrape();
    expect(
      series.get('modelwire_storage_operation_duration_seconds_count{storage="sqlite",operation="write"}'),
    ).toBeGreaterThan(0);
    expect(series.get('modelwire_storage_operation_duration_seconds_count{storage="files",operation="write"}')).toBe(1);
    expect(series.get('modelwire_open_connections')).toBeGreaterThan(0);
    expect(series.get('process_resident_memory_bytes')).toBeGreaterThan(1e7);
    expect(series.get('modelwire_jobs{kind="batch",state="waiting"}')).toBe(0);
    expect([...series.keys()].some((name) => name.startsWith('modelwire_build_info{version="'))).toBe(true);
  });

  test('counts batch lines by outcome', async () => {
    const lines = ['simulator', 'unknown'].map((model, index) =>
      JSON.stringify({ custom_id: `${index}`, method: 'POST', url: '/v1/chat/completions', body: { ...ask, model } }),
    );
    const file = await server.client.files.create({ file: new File([lines.join('\n')], 'b.jsonl'), purpose: 'batch' });
    await server.client.batches.create({
      input_file_id: file.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    });
    await expect.poll(async () => (await scrape()).get('modelwire_batch_lines_total{outcome="failed"}')).toBe(1);
    await expect.poll(async () => (await scrape()).get('modelwire_batch_lines_total{outcome="completed"}')).toBe(1);
    await expect.poll(async () => (await scrape()).get('modelwire_batch_lines_pending')).toBe(0);
  });

  test('reports the spent amount of budgets, and counts requests beyond their limits', async () => {
    const limited = await startTestServer({});
    try {
      const key = await limited.makeKey({ project: 'limited' });
      const budget = { id: 'budget_1', subject: { kind: 'project', id: 'limited' }, created: 1 } as const;
      const limits = { unit: 'tokens', period: 'day', softLimit: 1, hardLimit: 40 } as const;
      await limited.stores.budgets.add({ ...budget, ...limits });
      const { chat: chats } = clientOf(limited.url, key);
      const { usage } = await chats.completions.create({ ...ask, max_completion_tokens: 5 });
      const refused = chats.completions.create({ ...ask, max_completion_tokens: 100 });
      await expect(refused).rejects.toMatchObject({ code: 'insufficient_quota' });
      const read = async () => (await limited.stores.budgets.get('budget_1'))?.spent;
      await expect.poll(read).toBe(usage?.total_tokens);
      const series = await scrape(limited.url);
      const labels = 'budget="budget_1",unit="tokens",period="day"';
      expect(series.get(`modelwire_budget_spent{${labels}}`)).toBe(usage?.total_tokens);
      expect(series.get(`modelwire_budget_limit{${labels},limit="soft"}`)).toBe(1);
      expect(series.get(`modelwire_budget_limit{${labels},limit="hard"}`)).toBe(40);
      expect(series.get('modelwire_budget_exceeded_total{limit="soft",unit="tokens"}')).toBe(1);
      expect(series.get('modelwire_budget_exceeded_total{limit="hard",unit="tokens"}')).toBe(1);
    } finally {
      await limited.stop();
    }
  });

  test('counts attempts at upstreams and their failures', async () => {
    const down = 'http://127.0.0.1:1/v1';
    const gateway = await startTestServer({
      upstreams: [
        { name: 'down', baseURL: down },
        { name: 'up', baseURL: `${server.url}/v1`, apiKey: key },
      ],
      models: { simulator: { upstreams: ['down'], fallback: ['up'] } },
    });
    try {
      await gateway.client.chat.completions.create(ask);
      const series = await scrape(gateway.url);
      expect(series.get('modelwire_upstream_attempts_total{upstream="down",outcome="failed"}')).toBe(1);
      expect(series.get('modelwire_upstream_failures_total{upstream="down",reason="ECONNREFUSED"}')).toBe(1);
      expect(series.get('modelwire_upstream_attempts_total{upstream="up",outcome="succeeded"}')).toBe(1);
      expect(series.get('modelwire_upstream_up{upstream="down"}')).toBe(0);
      expect(series.get('modelwire_upstream_up{upstream="up"}')).toBe(1);
      expect(series.get('modelwire_upstream_circuit_state{upstream="up",model="simulator"}')).toBe(0);
    } finally {
      await gateway.stop();
    }
  });

  test('requires a key of the configuration or of an administrator, if configured', async () => {
    const guarded = await startTestServer({ metrics: { requireKey: true, projects: true } });
    try {
      const full = await guarded.makeKey({ name: 'full' });
      const admin = await guarded.makeKey({ name: 'admin', role: 'admin' });
      for (const authorization of ['', 'Bearer wrong', `Bearer ${full}`]) {
        expect((await fetch(`${guarded.url}/metrics`, { headers: { authorization } })).status).toBe(401);
      }
      await scrape(guarded.url, { authorization: `Bearer ${admin}` });
      await guarded.client.chat.completions.create(ask);
      const series = await scrape(guarded.url, { authorization: `Bearer ${key}` });
      expect(series.get(`modelwire_requests_total{method="POST",${chat},status="200",code="",project="default"}`)).toBe(
        1,
      );
    } finally {
      await guarded.stop();
    }
  });

  test('is not served with metrics: false', async () => {
    const without = await startTestServer({ metrics: false });
    try {
      expect((await fetch(`${without.url}/metrics`)).status).toBe(404);
      await without.client.chat.completions.create(ask);
    } finally {
      await without.stop();
    }
  });
});
