import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startRecordingUpstream, json } from '../testing/recording-upstream.ts';
import { startTestServer } from '../testing/test-server.ts';
import type { Config } from '../config/schema.ts';

interface Sums {
  readonly requests: number;
  readonly errors: number;
  readonly duration_ms: { readonly p50: number; readonly p95: number } | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

interface Report {
  readonly days: readonly (Sums & { readonly date: string })[];
  readonly total: Sums;
  readonly by_project: readonly (Sums & { readonly id: string })[];
  readonly by_key: readonly (Sums & { readonly id: string })[];
  readonly by_model: readonly (Sums & { readonly id: string })[];
}

async function open(config: Config = {}) {
  const server = await startTestServer(config);
  onTestFinished(() => server.stop());
  const admin = await server.makeKey({ role: 'admin' });
  const get = (path: string, key = admin) =>
    fetch(`${server.url}/console/api${path}`, { headers: { authorization: `Bearer ${key}` } });
  const chat = (key: string, body: object = {}) => post(server.url, key, body);
  return { server, admin, get, chat };
}

/** Sends a chat request and reads the whole response. Resolves to its status. */
async function post(url: string, key: string, body: object): Promise<number> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'simulator', messages: [{ role: 'user', content: 'Hello' }], ...body }),
  });
  await response.text();
  return response.status;
}

/** A stream is counted after the client has read its end. */
async function reportWhen(get: (path: string) => Promise<Response>, path: string, requests: number): Promise<Report> {
  let report: Report | undefined;
  await expect
    .poll(async () => {
      report = (await (await get(path)).json()) as Report;
      return report.total.requests;
    })
    .toBe(requests);
  if (!report) throw new Error('no report');
  return report;
}

const anyPercentiles = { p50: expect.any(Number) as number, p95: expect.any(Number) as number };

test('usage has requests, errors, durations and tokens of every day, project, key and model', async () => {
  const { server, get, chat } = await open();
  const [first, second] = [await server.makeKey({ project: 'a' }), await server.makeKey({ project: 'b' })];
  await chat(first);
  await chat(first, { stream: true });
  expect(await chat(second, { temperature: 9 })).toBe(400);
  expect(await chat(second, { model: 'made up' })).toBe(404);
  const report = await reportWhen(get, '/usage?days=3', 4);
  expect(report.total).toMatchObject({ requests: 4, errors: 2 });
  expect(report.total).toMatchObject({ duration_ms: anyPercentiles, first_token_ms: anyPercentiles });
  expect(report.total.input_tokens).toBeGreaterThan(0);
  expect(report.total.output_tokens).toBeGreaterThan(0);
  const today = new Date().toISOString().slice(0, 10);
  expect(report.days.map(({ requests }) => requests)).toEqual([0, 0, 4]);
  expect(report.days.at(-1)?.date).toBe(today);
  expect(report.days[0]).toMatchObject({ duration_ms: null, first_token_ms: null, input_tokens: 0 });
  expect(report.by_project).toMatchObject([
    { id: 'a', requests: 2, errors: 0, duration_ms: anyPercentiles, first_token_ms: anyPercentiles },
    { id: 'b', requests: 2, errors: 2, output_tokens: 0, duration_ms: anyPercentiles, first_token_ms: null },
  ]);
  expect(report.by_key).toHaveLength(2);
  // Unknown model names are not listed, since clients can choose them freely. For an invalid body the model is not known yet.
  expect(report.by_model).toMatchObject([
    { id: 'simulator', requests: 2, errors: 0 },
    { id: '', requests: 2, errors: 2 },
  ]);
});

test('usage is filtered by project, key and model', async () => {
  const { server, get, chat } = await open();
  const [first, second] = [await server.makeKey({ project: 'a' }), await server.makeKey({ project: 'b&c' })];
  await chat(first);
  await chat(second);
  await reportWhen(get, '/usage', 2);
  expect((await reportWhen(get, `/usage?project=${encodeURIComponent('b&c')}`, 1)).by_project).toMatchObject([
    { id: 'b&c' },
  ]);
  const keyId = (await server.stores.keys.list('a'))[0]?.id ?? '';
  expect((await reportWhen(get, `/usage?key=${keyId}&model=simulator`, 1)).by_key).toMatchObject([{ id: keyId }]);
  const none = (await (await get('/usage?model=other')).json()) as Report;
  expect([none.total.requests, none.by_model, none.days.length]).toEqual([0, [], 30]);
});

test('usage has costs by the price table', async () => {
  const prices = { currency: 'eur', models: { simulator: { input: 0, output: 0, request: 0.25 } } };
  const { server, get, chat } = await open({ prices });
  const key = await server.makeKey({ project: 'a' });
  await chat(key);
  await chat(key);
  expect(await reportWhen(get, '/usage?days=2', 2)).toMatchObject({
    currency: 'eur',
    days: [{ cost: 0 }, { cost: 0.5 }],
    total: { cost: 0.5 },
    by_project: [{ id: 'a', cost: 0.5 }],
  });
  const unpriced = await open();
  expect(await (await unpriced.get('/usage')).json()).toMatchObject({ currency: null, total: { cost: 0 } });
});

test('activity has requests, tokens, costs and percentiles of the last hours by step', async () => {
  const prices = { currency: 'eur', models: { simulator: { input: 0, output: 0, request: 0.25 } } };
  const { server, get, chat } = await open({ prices });
  const key = await server.makeKey({ project: 'a' });
  await chat(key);
  await chat(key, { model: 'none' });
  const report = await reportWhen(get, '/activity?hours=1', 2);
  expect(report).toMatchObject({ currency: 'eur', step_seconds: 60, total: { requests: 2, errors: 1, cost: 0.25 } });
  expect(report).toHaveProperty('steps.length', 60);
  expect(report.total).toMatchObject({ duration_ms: anyPercentiles, first_token_ms: anyPercentiles });
  expect(await reportWhen(get, '/activity?hours=24&project=a&model=simulator', 1)).toMatchObject({
    step_seconds: 3600,
    total: { errors: 0, cost: 0.25 },
  });
  for (const unknown of ['project=b', 'model=made%20up', "project=' or 1=1 --", 'model=%00'])
    expect(await (await get(`/activity?hours=6&${unknown}`)).json()).toMatchObject({ total: { requests: 0 } });
  const invalid = ['', 'hours=2', 'hours=-1', 'hours=1e0', 'hours=1&hours=6', 'hours=1&step=1', 'hours=1&project='];
  for (const query of [...invalid, `hours=1&model=${'a'.repeat(513)}`])
    expect([query, (await get(`/activity?${query}`)).status]).toEqual([query, 400]);
});

test('errors has the failed requests to models, newest first, without their contents', async () => {
  const { server, get, chat } = await open();
  const [first, second] = [await server.makeKey({ project: 'a' }), await server.makeKey({ project: 'b' })];
  await chat(first);
  await chat(first, { temperature: 9 });
  await chat(second, { model: 'made up' });
  await reportWhen(get, '/usage', 3);
  const { errors } = (await (await get('/errors')).json()) as { errors: { key: string }[] };
  expect(errors).toMatchObject([
    { status: 404, code: 'model_not_found', param: 'model', project: 'b', model: '' },
    {
      request_id: expect.stringMatching(/^req_/) as string,
      at: expect.any(Number) as number,
      route: '/v1/chat/completions',
      status: 400,
      param: 'temperature',
      project: 'a',
      upstream_failure: null,
    },
  ]);
  expect(JSON.stringify(errors)).not.toMatch(/Hello|made up/);
  const { length } = ((await (await get('/errors?project=a')).json()) as { errors: unknown[] }).errors;
  expect(length).toBe(1);
  const byKey = await (await get(`/errors?key=${errors[0]?.key ?? ''}`)).json();
  expect(byKey).toEqual({ errors: errors.slice(0, 1) });
  expect((await get('/errors?unknown=1')).status).toBe(400);
});

test('usage survives a restart', async () => {
  const server = await startTestServer();
  const admin = await server.makeKey({ role: 'admin' });
  await post(server.url, admin, {});
  const restarted = await server.restart();
  onTestFinished(() => restarted.stop());
  const response = await fetch(`${restarted.url}/console/api/usage`, { headers: { authorization: `Bearer ${admin}` } });
  expect(((await response.json()) as Report).total.requests).toBe(1);
});

test.each(['days=0', 'days=367', 'days=1e2', 'days=-1', 'project=', 'unknown=1'])(
  'usage refuses the query %s with a 400',
  async (query) => {
    const { get } = await open();
    expect((await get(`/usage?${query}`)).status).toBe(400);
  },
);

test('usage, activity, errors, status and people are for administrators', async () => {
  const { server, get } = await open();
  for (const role of ['full', 'read_only', 'inference_only'] as const) {
    const key = await server.makeKey({ role });
    for (const path of ['/usage', '/activity?hours=1', '/errors', '/status', '/people']) {
      const refused = await get(path, key);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ error: { code: 'insufficient_permissions' } });
    }
  }
  expect((await fetch(`${server.url}/console/api/status`)).status).toBe(401);
});

test('status has models with their capabilities, engines, storage and the version', async () => {
  const { get } = await open();
  const status: unknown = await (await get('/status')).json();
  expect(status).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string,
    in_flight: 1,
    models: expect.arrayContaining([
      expect.objectContaining({
        id: 'simulator',
        engine: 'simulator',
        kinds: ['chat'],
        capabilities: expect.objectContaining({ object: 'model.capabilities', model: 'simulator' }) as object,
      }),
      expect.objectContaining({ id: 'storyboard', kinds: ['video'], capabilities: null }),
    ]) as object[],
    engines: expect.arrayContaining([
      { name: 'simulator', active: 0, waiting: 0, concurrency: expect.any(Number) as number },
    ]) as object[],
    upstreams: [],
    storage: [
      { name: 'database', kind: 'SQLite', problem: null, bytes: expect.any(Number) as number },
      { name: 'files', kind: 'file system', problem: null, bytes: null },
    ],
  });
});

interface Created {
  readonly id: string;
  /** The secret of a key. */
  readonly value: string;
}

test('names has what projects, keys, budgets and webhooks are called, without secrets', async () => {
  const { server, admin, get } = await open();
  const create = async (path: string, body: object): Promise<Created> => {
    const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
    const url = `${server.url}/v1/organization${path}`;
    return (await (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as Created;
  };
  const { id: project } = await create('/projects', { name: 'Shop' });
  const { id: key, value } = await create(`/projects/${project}/api_keys`, {});
  const { id: budget } = await create('/budgets', { api_key_id: key, unit: 'tokens', period: 'day', hard_limit: 1 });
  const url = 'https://hooks.example.com/';
  const { id: webhook } = await create('/webhooks', { url });
  const text = await (await get('/names')).text();
  expect(text).not.toContain(value);
  expect(JSON.parse(text)).toEqual({
    projects: expect.arrayContaining([{ id: project, name: 'Shop' }]) as unknown,
    keys: expect.arrayContaining([
      { id: key, name: expect.any(String) as string, hint: `${value.slice(0, 7)}…`, project },
    ]) as unknown,
    budgets: [{ id: budget, subject: key, unit: 'tokens', period: 'day' }],
    webhooks: [{ id: webhook, name: url }],
  });
  expect((await get('/names', await server.makeKey({}))).status).toBe(403);
});

test('status has upstreams with latency, last error and circuit breakers, without credentials', async () => {
  const upstream = await startRecordingUpstream(['small'], {
    '/chat/completions': (response) => json(response, 503, { error: { message: 'broken' } }),
  });
  onTestFinished(() => upstream.close());
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const { server, get, chat } = await open({
    upstreams: [
      { name: 'works', baseURL: upstream.baseURL, apiKey: 'sk-secret' },
      { name: 'gone', baseURL: `http://127.0.0.1:${port}/v1` },
    ],
    circuitBreaker: { failures: 1 },
  });
  await chat(await server.makeKey({}), { model: 'small' });
  const response = await get('/status');
  const text = await response.text();
  expect(text).not.toContain('secret');
  expect(JSON.parse(text)).toMatchObject({
    models: expect.arrayContaining([expect.objectContaining({ id: 'small', engine: 'upstream' })]) as object[],
    upstreams: [
      {
        name: 'works',
        url: expect.stringContaining('127.0.0.1') as string,
        status: 'available',
        latency_ms: expect.any(Number) as number,
        cache_hit_rate: null,
        last_error: null,
        circuits: [{ model: 'small', state: 'open', last_failure: 'status 503' }],
      },
      {
        name: 'gone',
        status: 'unreachable',
        latency_ms: null,
        last_error: {
          message: 'ECONNREFUSED',
          since: expect.any(Number) as number,
          at: expect.any(Number) as number,
        },
      },
    ],
  });
});

test('the metadata of completions is suggested by its frequency, within the project of the key', async () => {
  const { server, admin, get, chat } = await open();
  const [mine, other] = [
    await server.makeKey({ project: 'a', role: 'read_only' }),
    await server.makeKey({ project: 'b' }),
  ];
  const writer = await server.makeKey({ project: 'a' });
  await chat(writer, { store: true, metadata: { team: 'search', run: '1' } });
  for (const run of ['2', '3']) await chat(writer, { store: true, metadata: { team: 'shop', run } });
  await chat(writer, { store: true, metadata: { team: '<b>",=' } });
  await chat(other, { store: true, metadata: { secret: 'of b' } });
  const keysOf = async (query: string, key: string) =>
    ((await (await get(`/metadata${query}`, key)).json()) as { keys: unknown[] }).keys;
  expect(await keysOf('', mine)).toEqual([
    { key: 'team', values: ['shop', '<b>",=', 'search'] },
    { key: 'run', values: ['3', '2', '1'] },
  ]);
  expect(await keysOf('?project_id=*', admin)).toContainEqual({ key: 'secret', values: ['of b'] });
  expect(await keysOf('', admin)).toEqual([]);
  expect((await get('/metadata?project_id=b', mine)).status).toBe(403);
  expect((await get('/metadata?limit=1e9', mine)).status).toBe(400);
});
