import type { APIError } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBatch, inputLine } from '../testing/batch-input.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

let server: TestServer;
let admin: string;
let keyCount = 0;
beforeAll(async () => {
  server = await startTestServer({
    prices: {
      models: {
        simulator: { input: 1000, output: 2000 },
        storyboard: { videoSecond: 0.5 },
        'omni-moderation-latest': { request: 0.002 },
      },
    },
    batchRetryDelayMs: 50,
  });
  admin = await server.makeKey({ role: 'admin', project: 'operators' });
});
afterAll(() => server.stop());

interface Budget {
  readonly id: string;
  readonly project_id: string;
  readonly spent: number;
  readonly reserved: number;
}

async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const response = await fetch(`${server.url}/v1/organization/${path}`, {
    method,
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as Body;
}

async function budgetedKey(budget: object): Promise<{ readonly key: string; readonly budget: Budget }> {
  const project = `budgeted-${++keyCount}`;
  const key = await server.makeKey({ project });
  return { key, budget: await call('POST', 'budgets', { project_id: project, period: 'day', ...budget }) };
}

const stateOf = ({ id }: Budget) => call<Budget>('GET', `budgets/${id}`);
const hello = { model: 'simulator', messages: [{ role: 'user' as const, content: 'Hi' }] };
const ask = (key: string, init: object = {}) =>
  clientOf(server.url, key)
    .chat.completions.create({ ...hello, max_completion_tokens: 5, ...init })
    .withResponse();

test('a request is charged its usage, and refused when the budget is exhausted, until it is reset', async () => {
  const { key, budget } = await budgetedKey({ unit: 'tokens', hard_limit: 40 });
  let spent = 0;
  const refused = await (async () => {
    for (;;) {
      try {
        spent += (await ask(key)).data.usage?.total_tokens ?? 0;
      } catch (error) {
        return error;
      }
    }
  })();
  expect(refused).toMatchObject({ status: 429, code: 'insufficient_quota', type: 'insufficient_quota' });
  expect(String(refused)).toMatch(
    /daily budget of the project 'budgeted-\d+' (?:is exhausted|has too little left for this request): limit 40 tokens, spent \d+/,
  );
  expect(spent).toBeGreaterThan(20);
  expect(spent).toBeLessThanOrEqual(40);
  await expect.poll(() => stateOf(budget)).toMatchObject({ spent, reserved: 0 });
  await call('POST', `budgets/${budget.id}/reset`);
  await ask(key);
});

test('a request that a budget refuses only because of running requests is to be retried', async () => {
  const { key, budget } = await budgetedKey({ unit: 'tokens', hard_limit: 100 });
  const running = { tokens: 80, cost: 0 };
  await server.stores.budgets.reserve({
    ...{ id: 'budget_reservation_1', subjects: [{ kind: 'project', id: budget.project_id }] },
    ...{ max: running, minToAdmit: running, ttlMs: 60_000 },
  });
  const error = await ask(key, { max_completion_tokens: 60 }).catch((thrown: unknown) => thrown as APIError);
  if (!('headers' in error)) throw new Error('the request was not refused');
  expect(error.message).toMatch(/is reserved by running requests: limit 100 tokens.*Retry when they have ended\.$/);
  expect(error.headers?.get('retry-after')).toBe('1');
  expect(error.headers?.get('x-should-retry')).toBeNull();
});

test('a streamed reply is charged, too, and an override admits further requests', async () => {
  const { key, budget } = await budgetedKey({ unit: 'tokens', hard_limit: 1 });
  await expect(ask(key)).rejects.toMatchObject({ code: 'insufficient_quota' });
  await call('POST', `budgets/${budget.id}`, { override_limit: 1000 });
  const stream = await clientOf(server.url, key).chat.completions.create({ ...hello, stream: true });
  expect(await Array.fromAsync(stream)).not.toEqual([]);
  await expect.poll(async () => (await stateOf(budget)).spent).toBeGreaterThan(5);
});

test('a request beyond the soft limit is served, with a header that names the budget', async () => {
  const { key, budget } = await budgetedKey({ unit: 'tokens', soft_limit: 1 });
  const { response } = await ask(key);
  expect(response.headers.get('x-modelwire-budget-warning')).toBe(budget.id);
});

test('a budget of money charges by the price table, and refuses models without a price', async () => {
  const { key, budget } = await budgetedKey({ unit: 'cost', hard_limit: 1_000_000 });
  const { usage } = (await ask(key)).data;
  const cost = 1000 * (usage?.prompt_tokens ?? 0) + 2000 * (usage?.completion_tokens ?? 0);
  await expect.poll(async () => (await stateOf(budget)).spent).toBe(cost);
  const input = 'a river and a lake';
  const unpriced = clientOf(server.url, key).embeddings.create({ model: 'simulator-embedding', input });
  await expect(unpriced).rejects.toMatchObject({ status: 403, code: 'model_without_price' });
});

test('responses are charged', async () => {
  const { key, budget } = await budgetedKey({ unit: 'tokens', hard_limit: 10_000 });
  const client = clientOf(server.url, key);
  const { usage } = await client.responses.create({ model: 'simulator', input: 'Hi' });
  await expect.poll(async () => (await stateOf(budget)).spent).toBe(usage?.total_tokens);
});

const exhausted = { status: 429, code: 'insufficient_quota' };

test('embeddings are charged, and refused when the budget is exhausted', async () => {
  const { key, budget } = await budgetedKey({ unit: 'tokens', hard_limit: 10 });
  const { embeddings } = clientOf(server.url, key);
  const embed = () => embeddings.create({ model: 'simulator-embedding', input: 'a river and a lake' });
  const { usage } = await embed();
  expect(usage.total_tokens).toBeGreaterThan(0);
  await expect.poll(async () => (await stateOf(budget)).spent).toBe(usage.total_tokens);
  await call('POST', `budgets/${budget.id}`, { hard_limit: usage.total_tokens });
  await expect(embed()).rejects.toMatchObject(exhausted);
});

test('videos are charged by the second when they are created, and refused beyond the hard limit', async () => {
  const { key, budget } = await budgetedKey({ unit: 'cost', hard_limit: 3_000_000 });
  const { videos } = clientOf(server.url, key);
  const create = () => videos.create({ model: 'storyboard', prompt: 'A river.', seconds: '4' });
  await create();
  await expect.poll(() => stateOf(budget)).toMatchObject({ spent: 2_000_000, reserved: 0 });
  await expect(create()).rejects.toMatchObject(exhausted);
  expect((await videos.list()).data).toHaveLength(1);
});

test('moderations are charged by the request, and refused when the budget is exhausted', async () => {
  const { key, budget } = await budgetedKey({ unit: 'cost', hard_limit: 4000 });
  const { moderations } = clientOf(server.url, key);
  const moderate = () => moderations.create({ model: 'omni-moderation-latest', input: 'a river' });
  await moderate();
  await moderate();
  await expect.poll(() => stateOf(budget)).toMatchObject({ spent: 4000, reserved: 0 });
  await expect(moderate()).rejects.toMatchObject(exhausted);
});

test('videos and moderations use no tokens, but are refused when no tokens are left', async () => {
  const { key, budget } = await budgetedKey({ unit: 'tokens', hard_limit: 1 });
  const { moderations, videos } = clientOf(server.url, key);
  await moderations.create({ input: 'a river' });
  await expect.poll(() => stateOf(budget)).toMatchObject({ spent: 0, reserved: 0 });
  await call('POST', `budgets/${budget.id}`, { hard_limit: 0 });
  await expect(moderations.create({ input: 'a river' })).rejects.toMatchObject(exhausted);
  await expect(videos.create({ prompt: 'A river.' })).rejects.toMatchObject(exhausted);
});

test('a video is not remixed with a model that the key may not use', async () => {
  const { videos } = clientOf(server.url, await server.makeKey({ project: 'films' }));
  const { id } = await videos.create({ prompt: 'A river.' });
  await expect.poll(async () => (await videos.retrieve(id)).status).toBe('completed');
  const limited = await server.makeKey({ project: 'films', allowedModels: ['another'] });
  const remix = clientOf(server.url, limited).videos.remix(id, { prompt: 'A lake.' });
  await expect(remix).rejects.toMatchObject({ status: 403, code: 'model_not_allowed' });
});

test('models that are not allowed are refused and not listed, and output limits above the maximum', async () => {
  const key = await server.makeKey({ project: 'limited', allowedModels: ['another'] });
  await expect(ask(key)).rejects.toMatchObject({
    status: 403,
    code: 'model_not_allowed',
    param: 'model',
    message: expect.stringContaining('GET /v1/models lists the models that it may use') as string,
  });
  await expect(clientOf(server.url, key).models.retrieve('simulator')).rejects.toMatchObject({
    status: 404,
    code: 'model_not_found',
  });
  expect((await clientOf(server.url, key).models.list()).data).toEqual([]);
  const short = await server.makeKey({ project: 'limited', maxOutputTokens: 3 });
  await expect(ask(short)).rejects.toMatchObject({
    status: 400,
    code: 'integer_above_max_value',
    param: 'max_completion_tokens',
  });
  const { data } = await ask(short, { max_completion_tokens: undefined });
  expect(data.usage?.completion_tokens).toBeLessThanOrEqual(3);
  expect(data.choices[0]?.finish_reason).toBe('length');
});

test('text completions get the smaller one of their default and the output limit of the key', async () => {
  const create = async (limit: number, params: object = {}) => {
    const { completions } = clientOf(server.url, await server.makeKey({ project: 'limited', maxOutputTokens: limit }));
    const { usage } = await completions.create({ model: 'simulator', prompt: 'Tell me a long story.', ...params });
    return usage?.completion_tokens;
  };
  expect(await create(7)).toBe(7);
  expect(await create(100)).toBe(16);
  expect(await create(7, { max_tokens: 5 })).toBe(5);
  await expect(create(7, { max_tokens: 8 })).rejects.toMatchObject({
    status: 400,
    code: 'integer_above_max_value',
    param: 'max_tokens',
    message: expect.stringMatching(/'max_tokens'.* at most 7 output tokens/) as string,
  });
});

test('files, uploads, stored completions and stored responses beyond the storage limit of the project are refused', async () => {
  const key = await server.makeKey({ project: 'full' });
  await server.stores.keys.updateProject('full', { storageLimitBytes: 10 });
  const client = clientOf(server.url, key);
  const create = (text: string) => client.files.create({ file: new File([text], 'a.txt'), purpose: 'user_data' });
  const exceeded = { status: 403, code: 'storage_quota_exceeded' };
  await expect(create('eleven byte')).rejects.toMatchObject(exceeded);
  const init = { filename: 'a', mime_type: 'text/plain', purpose: 'user_data', bytes: 11 } as const;
  await expect(client.uploads.create(init)).rejects.toMatchObject(exceeded);
  const { id } = await create('ten bytes.');
  const respond = (store: boolean) => client.responses.create({ model: 'simulator', input: 'Hi', store });
  await expect(respond(true)).rejects.toMatchObject(exceeded);
  await respond(false);
  await expect(ask(key, { store: true })).rejects.toMatchObject(exceeded);
  await ask(key);
  await client.files.delete(id);
  // It would exceed the limit alone.
  await expect(respond(true)).rejects.toMatchObject(exceeded);
  await expect(ask(key, { store: true })).rejects.toMatchObject(exceeded);
  expect(await server.stores.keys.storageBytes('full')).toBe(0);
  await server.stores.keys.updateProject('full', { storageLimitBytes: 10_000_000 });
  await ask(key, { store: true });
  const stored = await respond(true);
  // Less than another one needs: replies differ in length.
  const storageLimitBytes = (await server.stores.keys.storageBytes('full')) + 500;
  await server.stores.keys.updateProject('full', { storageLimitBytes });
  await expect(respond(true)).rejects.toMatchObject(exceeded);
  await client.responses.delete(stored.id);
  await respond(true);
});

test('lines of a batch wait for the budget, and continue when it is raised', async () => {
  const { key, budget } = await budgetedKey({ unit: 'tokens', hard_limit: 1 });
  const client = clientOf(server.url, key);
  const batch = await createBatch(client, [inputLine('a', hello)]);
  await expect.poll(async () => (await client.batches.retrieve(batch.id)).status).toBe('in_progress');
  await call('POST', `budgets/${budget.id}`, { hard_limit: 100_000 });
  await expect
    .poll(async () => (await client.batches.retrieve(batch.id)).request_counts, { timeout: 60_000 })
    .toEqual({ total: 1, completed: 1, failed: 0 });
});
