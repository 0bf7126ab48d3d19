import type {
  ComparisonScorer,
  Dataset,
  DatasetCompareParams,
  DatasetComparison,
  DatasetCreateParams,
  DatasetRerun,
  DatasetRerunParams,
} from '@modelwire/schema/types';
import type OpenAI from 'openai';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createBatch, endpoint, linesOf as resultsOf } from '../testing/batch-input.ts';
import { clientOf, startTestServer } from '../testing/test-server.ts';
import type { TestServer } from '../testing/test-server.ts';

type Line = Readonly<Record<string, unknown>>;

/** Prints each line in upper case, except for its ID. */
const shout = `
  const { createInterface } = require('node:readline');
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { item, sample } = JSON.parse(line);
    const messages = item.request.messages.map((message) => ({ ...message, content: message.content.toUpperCase() }));
    console.log(JSON.stringify({ item: { ...item, request: { ...item.request, messages } }, sample }));
  });`;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function projectOf({ url, makeKey }: TestServer, project: string): Promise<OpenAI> {
  return clientOf(url, await makeKey({ project }));
}

const createDataset = (client: OpenAI, body: DatasetCreateParams): Promise<Dataset> =>
  client.post<Dataset>('/datasets', { body });

const compareDataset = (client: OpenAI, body: DatasetCompareParams): Promise<DatasetComparison> =>
  client.post<DatasetComparison>('/datasets/compare', { body });

/** Runs a file of requests as a batch. Returns its ID when it has completed. */
async function runFile(client: OpenAI, input_file_id: string): Promise<string> {
  const { id } = await client.batches.create({ input_file_id, endpoint, completion_window: '24h' });
  await vi.waitFor(async () => expect((await client.batches.retrieve(id)).status).toBe('completed'), 60_000);
  return id;
}

const runFiles = (client: OpenAI, { files }: Pick<Dataset, 'files'>): Promise<string> =>
  runFile(client, files[0]?.file_id ?? '');

const textOf = async (client: OpenAI, file: string): Promise<string> => (await client.files.content(file)).text();

const store = (client: OpenAI, content: string, others: object = {}) =>
  client.chat.completions.create({ model: 'simulator', messages: [{ role: 'user', content }], store: true, ...others });

async function linesOf(client: OpenAI, { files }: Pick<Dataset, 'files'>): Promise<Line[][]> {
  return Promise.all(
    files.map(async ({ file_id }) => {
      const text = await textOf(client, file_id);
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line);
    }),
  );
}

test('writes stored completions as conversations, without duplicates and replies that were cut off', async () => {
  const client = await projectOf(server, 'tuning');
  const system = { role: 'system' as const, content: 'Be brief.' };
  for (const content of ['One', 'Two', 'One'])
    await store(client, content, { seed: 1, messages: [system, { role: 'user', content }], metadata: { topic: 'a' } });
  await store(client, 'Three', { metadata: { topic: 'b' } });
  await store(client, 'Cut off', { max_completion_tokens: 1, metadata: { topic: 'a' } });
  const filter = { model: 'simulator', metadata: { topic: 'a' } };
  const dataset = await createDataset(client, { name: 'brief', format: 'fine_tuning', filter });
  expect(dataset).toMatchObject({
    object: 'dataset',
    filter,
    redacted: false,
    counts: { completions: 4, lines: 2, duplicates: 1, skipped: 1 },
  });
  const [lines] = await linesOf(client, dataset);
  const reply = { role: 'assistant', content: expect.any(String) as string };
  expect(lines).toEqual(['One', 'Two'].map((content) => ({ messages: [system, { role: 'user', content }, reply] })));
  const [file] = dataset.files;
  expect(await client.files.retrieve(file?.file_id ?? '')).toMatchObject({
    purpose: 'fine-tune',
    filename: 'brief.jsonl',
    bytes: file?.bytes,
  });
  const manifests = await client.files.list({ purpose: 'dataset' });
  expect(manifests.data.map(({ id }) => id)).toEqual([dataset.id]);
  expect(JSON.parse(await (await client.files.content(dataset.id)).text())).toEqual(dataset);
});

test('the same seed selects the same test part, and every line is in one part', async () => {
  const client = await projectOf(server, 'split');
  for (let n = 0; n < 40; n++) await store(client, `Question ${n}`);
  const create = (seed: number) =>
    createDataset(client, { format: 'evaluation', split: { test: 0.25, seed } }).then(async (dataset) => {
      const [train = [], tests = []] = await linesOf(client, dataset);
      expect(dataset.files.map(({ split }) => split)).toEqual(['train', 'test']);
      expect(new Set([...train, ...tests].map((line) => (line['item'] as { id: string }).id)).size).toBe(40);
      return { dataset, tests };
    });
  const first = await create(7);
  expect((await create(7)).tests).toEqual(first.tests);
  expect((await create(8)).tests).not.toEqual(first.tests);
  expect(first.tests.length).toBeGreaterThan(1);
  expect(first.tests[0]).toMatchObject({
    item: { request: { model: 'simulator', messages: [{ role: 'user' }] } },
    sample: { usage: { total_tokens: expect.any(Number) as number }, duration_ms: expect.any(Number) as number },
  });
  const requests = await createDataset(client, {
    format: 'batch',
    dataset: first.dataset.id,
    parameters: { temperature: 0, metadata: { run: 'cold' } },
    limit: 3,
  });
  const [lines] = await linesOf(client, requests);
  expect(lines).toHaveLength(3);
  const [{ custom_id, body } = {}] = lines ?? [];
  expect(body).toMatchObject({ temperature: 0, store: true, metadata: { run: 'cold', rerun_of: custom_id } });
});

test('as the line of a batch, a dataset is made in the background, and a rerun is linked to its sources', async () => {
  const client = await projectOf(server, 'rerun');
  const source = await store(client, 'Which river?');
  const run = async (batch: OpenAI.Batch) => {
    const done = await vi.waitFor(async () => {
      const found = await client.batches.retrieve(batch.id);
      expect(found).toMatchObject({ status: 'completed', request_counts: { completed: 1, failed: 0 } });
      return found;
    }, 60_000);
    const [result] = await resultsOf(client, done.output_file_id);
    return result?.response?.body as unknown;
  };
  const line = { custom_id: 'd', method: 'POST', url: '/v1/datasets', body: { format: 'batch' } };
  const dataset = (await run(await createBatch(client, [line], '/v1/datasets' as '/v1/embeddings'))) as Dataset;
  const [{ file_id: input_file_id } = { file_id: '' }] = dataset.files;
  const rerun = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
  const result = (await run(await client.batches.create(rerun))) as OpenAI.ChatCompletion;
  const { data } = await client.chat.completions.list({ metadata: { rerun_of: source.id } });
  expect(data).toMatchObject([{ id: result.id, metadata: { rerun_of: source.id } }]);
  // The result is no source of another dataset, unless it is asked for.
  expect((await createDataset(client, { format: 'batch' })).counts.completions).toBe(1);
  const filter = { metadata: { rerun_of: source.id } };
  expect((await createDataset(client, { format: 'batch', filter })).counts.completions).toBe(1);
});

const rerunDataset = (client: OpenAI, body: DatasetRerunParams): Promise<DatasetRerun> =>
  client.post<DatasetRerun>('/datasets/rerun', { body });

const endedBatch = (client: OpenAI, id: string, status = 'completed'): Promise<OpenAI.Batch> =>
  vi.waitFor(
    async () => {
      const batch = await client.batches.retrieve(id);
      expect(batch.status).toBe(status);
      return batch;
    },
    { timeout: 60_000, interval: 100 },
  );

test('one request runs a dataset again: its batch writes the requests, and runs them as another batch', async () => {
  const client = await projectOf(server, 'rerun at once');
  const sources = [await store(client, 'One', { seed: 1 }), await store(client, 'Two', { seed: 2 })];
  const { id: dataset } = await createDataset(client, { name: 'numbers', format: 'evaluation' });
  const parameters = { model: 'simulator', temperature: 0, seed: null };
  const rerun = await rerunDataset(client, { dataset, parameters });
  const created = { object: 'dataset.rerun', name: 'numbers with simulator', dataset, parameters };
  expect(rerun).toMatchObject({ ...created, batch_ids: [] });
  const ended = await endedBatch(client, rerun.id);
  expect(ended).toMatchObject({
    endpoint: '/v1/datasets/rerun',
    metadata: { name: 'numbers with simulator', dataset_id: dataset },
    request_counts: { total: 1, completed: 1 },
  });
  const [result] = await resultsOf(client, ended.output_file_id);
  const { batch_ids, ...others } = result?.response?.body as unknown as DatasetRerun;
  expect(others).toMatchObject({ id: rerun.id, ...created });
  const started = await startedBy(client, rerun.id);
  expect(started).toMatchObject([
    {
      id: batch_ids[0],
      endpoint: '/v1/chat/completions',
      request_counts: { completed: 2 },
      metadata: { name: 'numbers with simulator' },
    },
  ]);
  const inputs = await resultsOf(client, started[0]?.input_file_id);
  expect(inputs).toMatchObject(
    sources.map(({ id }) => ({ custom_id: id, body: { temperature: 0, seed: null, metadata: { rerun_of: id } } })),
  );
  expect(await compareDataset(client, { dataset, candidate_batch_ids: [rerun.id] })).toMatchObject({
    counts: { cases: 2 },
    candidate_batch_ids: [rerun.id],
    candidate: { replies: 2, errors: [] },
  });
  // Requests that fail: a comparison says why there are no replies.
  const failing = await rerunDataset(client, { dataset, name: 'failing', parameters: { model: 'no such model' } });
  await endedBatch(client, failing.id);
  const message = expect.stringContaining('no such model') as string;
  const error = { code: 'model_not_found', message, cases: 2, case_ids: sources.map(({ id }) => id) };
  expect(await compareDataset(client, { dataset, candidate_batch_ids: [failing.id] })).toMatchObject({
    baseline: { replies: 2, errors: [] },
    candidate: { replies: 0, errors: [error] },
    scorers: [{ scored: 0, failed: 0, errors: [] }],
  });
});

test('a rerun whose project is full and whose dataset is deleted before it ends has its result', async () => {
  const slow = await startTestServer({ simulator: { firstTokenDelayMs: 500 }, batchConcurrency: 1 });
  onTestFinished(() => slow.stop());
  const client = await projectOf(slow, 'filled');
  await Promise.all(['One', 'Two', 'Three'].map((content) => store(client, content)));
  const { id: dataset } = await createDataset(client, { format: 'evaluation' });
  const { id } = await rerunDataset(client, { dataset, parameters: { store: false } });
  await vi.waitFor(async () => expect(await startedBy(client, id)).toHaveLength(1), { timeout: 60_000, interval: 50 });
  await client.files.delete(dataset);
  await slow.stores.keys.updateProject('filled', { storageLimitBytes: 1 });
  const { output_file_id } = await endedBatch(client, id);
  const [result] = await resultsOf(client, output_file_id);
  const { batch_ids } = result?.response?.body as unknown as DatasetRerun;
  expect((await client.batches.retrieve(batch_ids[0] ?? '')).request_counts).toMatchObject({ completed: 3, failed: 0 });
});

test('a comparison names a rerun that failed, and one of another dataset', async () => {
  const client = await projectOf(server, 'other reruns');
  await store(client, 'One');
  const { id: dataset } = await createDataset(client, { format: 'evaluation' });
  const { id: other } = await createDataset(client, { format: 'evaluation' });
  const rerun = await rerunDataset(client, { dataset: other });
  await endedBatch(client, rerun.id);
  const compare = (id: string) => compareDataset(client, { dataset, candidate_batch_ids: [id] });
  const message = expect.stringContaining(`of the dataset '${other}'`) as string;
  await expect(compare(rerun.id)).rejects.toMatchObject({ status: 400, message });
  const line = { custom_id: 'r', method: 'POST', url: '/v1/datasets/rerun', body: { dataset: 'file-none' } };
  const failed = await createBatch(client, [line], '/v1/datasets/rerun' as '/v1/embeddings');
  await endedBatch(client, failed.id);
  const cause = expect.stringMatching(/failed: .*file-none/) as string;
  await expect(compare(failed.id)).rejects.toMatchObject({ status: 400, message: cause });
});

test('a rerun is cancelled with its batches, and one that cannot run is refused', async () => {
  const slow = await startTestServer({ simulator: { firstTokenDelayMs: 500 }, batchConcurrency: 1 });
  onTestFinished(() => slow.stop());
  const client = await projectOf(slow, 'cancelled');
  await Promise.all(Array.from({ length: 20 }, (_, n) => store(client, `Question ${n}`)));
  const { id: dataset, files } = await createDataset(client, { format: 'evaluation' });
  const { id } = await rerunDataset(client, { dataset });
  const [started] = await vi.waitFor(
    async () => {
      const found = await startedBy(client, id);
      expect(found[0]?.status).toBe('in_progress');
      return found;
    },
    { timeout: 60_000, interval: 100 },
  );
  await client.batches.cancel(id);
  await endedBatch(client, id, 'cancelled');
  const { request_counts } = await endedBatch(client, started?.id ?? '', 'cancelled');
  expect(request_counts?.completed).toBeLessThan(20);
  const comparison = compareDataset(client, { dataset, candidate_batch_ids: [id] });
  await expect(comparison).rejects.toMatchObject({ status: 400, code: 'invalid_state' });

  const stranger = await projectOf(slow, 'stranger');
  const fineTuning = await createDataset(client, { format: 'fine_tuning' });
  await expect(rerunDataset(stranger, { dataset })).rejects.toMatchObject({ status: 404, param: 'dataset' });
  await expect(rerunDataset(client, { dataset: files[0]?.file_id ?? '' })).rejects.toMatchObject({ status: 404 });
  for (const [param, body] of [
    ['dataset', { dataset: fineTuning.id }],
    ['parameters.stream', { dataset, parameters: { stream: true } }],
    ['parameters.messages', { dataset, parameters: { messages: [] } }],
    ['parameters.model', { dataset, parameters: { model: 1 } }],
    ['name', { dataset, name: 'x'.repeat(129) }],
  ] as const)
    await expect(rerunDataset(client, body)).rejects.toMatchObject({ status: 400, param });
});

test('projects are strangers to each other, and files other than evaluations are no source', async () => {
  const [client, stranger] = [await projectOf(server, 'mine'), await projectOf(server, 'theirs')];
  await store(client, 'Secret');
  const { id, files } = await createDataset(client, { format: 'evaluation' });
  const fineTuning = await createDataset(client, { format: 'fine_tuning' });
  const of = (dataset: string): DatasetCreateParams => ({ format: 'batch', dataset });
  await expect(createDataset(stranger, of(id))).rejects.toMatchObject({ status: 404, param: 'dataset' });
  await expect(createDataset(client, of(files[0]?.file_id ?? ''))).rejects.toMatchObject({ status: 404 });
  await expect(createDataset(client, of(fineTuning.id))).rejects.toMatchObject({ status: 400, param: 'dataset' });
  expect((await createDataset(stranger, { format: 'evaluation' })).counts.completions).toBe(0);
  await client.files.delete(files[0]?.file_id ?? '');
  await expect(createDataset(client, of(id))).rejects.toMatchObject({ status: 404, param: 'dataset' });
});

test.each([
  [
    'filter.metadata',
    { filter: { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, 'v'])) } },
  ],
  ['filter.start_time', { filter: { start_time: -1 } }],
  ['filter.project', { filter: { project: 'other' } }],
  ['split.test', { split: { test: 2 } }],
  ['limit', { limit: 1_000_001 }],
  ['name', { name: 'x'.repeat(129) }],
  ['filter', { filter: {}, dataset: 'file-abc' }],
  ['parameters', { parameters: { model: 'simulator' } }],
  ['parameters.stream', { format: 'batch', parameters: { stream: true } }],
  ['redaction', { redaction: { command: 'id' } }],
])('refuses an invalid %s', async (param, fields) => {
  const client = await projectOf(server, 'hostile');
  await expect(createDataset(client, { format: 'evaluation', ...fields } as DatasetCreateParams)).rejects.toMatchObject(
    { status: 400, param },
  );
});

test('names are no paths', async () => {
  const client = await projectOf(server, 'names');
  await store(client, 'One');
  const name = '../../etc/"passwd"\r\nx: y';
  const { files } = await createDataset(client, { format: 'evaluation', name });
  const { data } = await client.files.list({ purpose: 'evals' });
  expect(data).toMatchObject([{ id: files[0]?.file_id, filename: `${name}.jsonl` }]);
});

test('the command of the operator redacts every line', async () => {
  const redacting = await startTestServer({ redaction: { command: process.execPath, args: ['-e', shout] } });
  onTestFinished(() => redacting.stop());
  const client = await projectOf(redacting, 'redacted');
  for (let n = 0; n < 50; n++) await store(client, `my name is ${n % 5}`, { seed: n % 5 });
  const dataset = await createDataset(client, { format: 'fine_tuning' });
  expect(dataset).toMatchObject({ redacted: true, counts: { completions: 50 } });
  const [lines = []] = await linesOf(client, dataset);
  expect(lines.length).toBe(dataset.counts.lines);
  for (const { messages } of lines as { messages: [{ content: string }] }[])
    expect(messages[0].content).toMatch(/^MY NAME IS \d$/);
});

test.each([
  ['ends with an error', 'process.exit(3)'],
  ['returns fewer lines', 'process.stdin.resume()'],
  ['returns other IDs', `console.log(JSON.stringify({ item: { id: 'x' } })); process.stdin.resume()`],
  ['never returns a line', 'setInterval(() => {}, 1000)'],
])('a redaction that %s fails the dataset, and leaves no file', async (_, program) => {
  const command = process.execPath;
  const failing = await startTestServer({ redaction: { command, args: ['-e', program], timeoutMs: 1000 } });
  onTestFinished(() => failing.stop());
  const client = await projectOf(failing, 'failing');
  await store(client, 'One');
  await expect(createDataset(client, { format: 'evaluation' })).rejects.toMatchObject({
    status: 500,
    code: 'redaction_failed',
  });
  expect((await client.files.list()).data).toEqual([]);
});

test('compares the results of a rerun with the replies of a dataset', async () => {
  const prices = { currency: 'eur', models: { '*': { input: 1, output: 2 } } };
  const priced = await startTestServer({ prices });
  onTestFinished(() => priced.stop());
  const client = await projectOf(priced, 'compared');
  for (let n = 0; n < 6; n++) await store(client, `Question ${n}`, { seed: n, temperature: 0 });
  const { id: dataset } = await createDataset(client, { format: 'evaluation' });
  const rerun = await runFiles(
    client,
    await createDataset(client, { format: 'batch', dataset, parameters: { seed: 99, temperature: 2 } }),
  );
  const scorers = [
    { type: 'exact' },
    { type: 'normalized' },
    { type: 'regex', pattern: '(.|\\n)+' },
    { type: 'json_schema', schema: { type: 'object' } },
    { type: 'judge', model: 'simulator', criteria: 'It is short.' },
    { type: 'judge', model: 'simulator', mode: 'rubric', criteria: 'It is short.' },
  ] as const;
  const first = await compareDataset(client, { dataset, candidate_batch_ids: [rerun], scorers });
  expect(first).toMatchObject({
    object: 'dataset.comparison',
    currency: 'eur',
    counts: { cases: 6 },
    baseline: { replies: 6, cost: expect.any(Number) as number, mean_duration_ms: expect.any(Number) as number },
    candidate: { replies: 6, cost: expect.any(Number) as number, mean_duration_ms: expect.any(Number) as number },
    scorers: [
      { type: 'exact', scored: 6, baseline_mean: 1, wins: 0 },
      { type: 'normalized', scored: 6, baseline_mean: 1 },
      { type: 'regex', ties: 6, win_rate: 0.5, baseline_mean: 1, candidate_mean: 1 },
      { type: 'json_schema', ties: 6, baseline_mean: 0, candidate_mean: 0 },
      { type: 'judge', scored: 0, win_rate: null, request_file_ids: [expect.any(String)] },
      { type: 'judge', scored: 0, win_rate: null, request_file_ids: [expect.any(String)] },
    ],
  });
  const batch_ids: string[][] = [];
  for (const { request_file_ids } of first.scorers.slice(4))
    batch_ids.push(await Promise.all(request_file_ids.map((id) => runFile(client, id))));
  const judged = await compareDataset(client, {
    dataset,
    candidate_batch_ids: [rerun],
    scorers: scorers.map((scorer, index) => (index < 4 ? scorer : { ...scorer, batch_ids: batch_ids[index - 4] })),
  });
  for (const { scored, win_rate, win_rate_interval, request_file_ids } of judged.scorers.slice(4)) {
    expect([scored, request_file_ids]).toEqual([6, []]);
    const [low = 0, high = 0] = win_rate_interval ?? [];
    expect(low).toBeLessThanOrEqual(win_rate ?? -1);
    expect(high).toBeGreaterThanOrEqual(win_rate ?? 2);
  }
  const lines = await textOf(client, judged.cases_file_id ?? '');
  const order = lines
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { difference: string }).difference);
  expect(order).toEqual([
    ...Array.from({ length: judged.counts.told_apart }, () => 'told_apart'),
    ...Array.from({ length: judged.counts.different }, () => 'different'),
    ...Array.from({ length: judged.counts.equal }, () => 'equal'),
  ]);
  expect(await textOf(client, judged.csv_file_id)).toMatch(/^id,difference,baseline,candidate,1_exact_baseline,/);
  expect((await client.files.list({ purpose: 'comparison' })).data.map(({ id }) => id)).toEqual([judged.id, first.id]);

  const stranger = await projectOf(priced, 'stranger');
  const body = { dataset, candidate_batch_ids: [rerun] };
  await expect(compareDataset(stranger, body)).rejects.toMatchObject({ status: 404, param: 'dataset' });
  const { id: own } = await createDataset(stranger, { format: 'evaluation' });
  await expect(compareDataset(stranger, { ...body, dataset: own })).rejects.toMatchObject({
    status: 404,
    param: 'candidate_batch_ids',
  });
  // Results of other items.
  const { id: fewer } = await createDataset(client, { format: 'evaluation', dataset, limit: 3 });
  await expect(compareDataset(client, { ...body, dataset: fewer })).rejects.toMatchObject({
    status: 400,
    param: 'candidate_batch_ids',
  });
});

/** A dataset with a rerun of its requests. */
async function rerunIn(client: OpenAI, contents: readonly string[]) {
  for (const content of contents) await store(client, content);
  const { id: dataset } = await createDataset(client, { format: 'evaluation' });
  return { dataset, rerun: await runFiles(client, await createDataset(client, { format: 'batch', dataset })) };
}

const startComparison = (client: OpenAI, ...bodies: readonly DatasetCompareParams[]): Promise<OpenAI.Batch> =>
  createBatch(
    client,
    bodies.map((body, index) => ({ custom_id: `line ${index}`, method: 'POST', url: '/v1/datasets/compare', body })),
    '/v1/datasets/compare' as '/v1/embeddings',
  );

/** What a scorer says about each case. */
async function scoresOf(client: OpenAI, comparison: DatasetComparison | undefined, index: number) {
  const lines = (await textOf(client, comparison?.cases_file_id ?? '')).trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { scores: { error?: object }[] }).scores[index] ?? {});
}

/** The batches that a batch has started, the first one first. */
const startedBy = async (client: OpenAI, id: string): Promise<readonly OpenAI.Batch[]> =>
  (await client.batches.list({ limit: 100 })).data
    .filter(({ metadata }) => metadata?.['modelwire_started_by'] === id)
    .reverse();

test('as the line of a batch, a comparison runs the requests of its scorers itself', async () => {
  const client = await projectOf(server, 'judged in a batch');
  const { dataset, rerun } = await rerunIn(client, ['One', 'Two', 'Three']);
  const scorers = [
    { type: 'exact' },
    { type: 'embedding', model: 'simulator-embedding' },
    { type: 'judge', model: 'simulator', criteria: 'It is short.' },
    { type: 'judge', model: 'no such model', criteria: 'It is short.' },
  ] as const;
  const body = { name: 'short', dataset, candidate_batch_ids: [rerun], scorers };
  const { id } = await startComparison(
    client,
    body,
    { ...body, dataset: rerun },
    { ...body, scorers: scorers.slice(0, 1) },
  );
  const ended = await vi.waitFor(
    async () => {
      const batch = await client.batches.retrieve(id);
      expect(batch.status).toBe('completed');
      return batch;
    },
    { timeout: 60_000, interval: 100 },
  );
  const results = await resultsOf(client, ended.output_file_id);
  const case_ids = expect.arrayContaining([expect.stringMatching(/^chatcmpl-/)]) as string[];
  const message = expect.stringContaining('no such model') as string;
  const missingJudge = { code: 'model_not_found', message, cases: 3, case_ids };
  const [comparison] = results.map(({ response }) => response?.body as unknown as DatasetComparison);
  for (const { error } of await scoresOf(client, comparison, 3))
    expect(error).toMatchObject({ code: 'model_not_found', message });
  expect(results.map(({ response }) => response?.body as unknown as DatasetComparison)).toMatchObject([
    {
      name: 'short',
      scorers: [
        { type: 'exact', scored: 3 },
        { type: 'embedding', scored: 3, request_file_ids: [] },
        { type: 'judge', scored: 3, failed: 0, errors: [], request_file_ids: [] },
        { type: 'judge', scored: 0, failed: 3, errors: [missingJudge], request_file_ids: [] },
      ],
    },
    { scorers: [{ type: 'exact', scored: 3 }] },
  ]);
  const [failed, ...others] = await resultsOf(client, ended.error_file_id);
  expect([failed?.custom_id, failed?.response?.status_code, others]).toEqual(['line 1', 404, []]);
  expect(await startedBy(client, id)).toMatchObject([
    { endpoint: '/v1/embeddings', request_counts: { completed: 9 }, metadata: { name: 'short: embedding' } },
    { endpoint: '/v1/chat/completions', request_counts: { completed: 6 }, metadata: { name: 'short: judge' } },
    { endpoint: '/v1/chat/completions', request_counts: { failed: 6 } },
  ]);
  // A comparison that is refused starts no batches.
  const { id: none } = await createDataset(client, { format: 'evaluation', filter: { model: 'none' } });
  const refused = await startComparison(client, { ...body, dataset: none });
  await vi.waitFor(
    async () => expect((await client.batches.retrieve(refused.id)).request_counts).toMatchObject({ failed: 1 }),
    60_000,
  );
  expect(await startedBy(client, refused.id)).toEqual([]);
  // The metadata of such batches cannot be forged.
  const forged = {
    input_file_id: rerun,
    endpoint,
    completion_window: '24h',
    metadata: { modelwire_started_by: id },
  } as const;
  await expect(client.batches.create(forged)).rejects.toMatchObject({ status: 400, param: 'metadata' });
});

test.each([
  ['scorers[0].pattern', { type: 'regex', pattern: '(a+)+(?=b)' }],
  ['scorers[0].pattern', { type: 'regex', pattern: '(' }],
  ['scorers[0].pattern', { type: 'regex', pattern: '((a{1,1000}){1,1000}){1,1000}' }],
  ['scorers[0].schema.type', { type: 'json_schema', schema: { type: 'no type' } }],
  ['scorers[0].criteria', { type: 'judge', model: 'simulator', criteria: '' }],
])('refuses a scorer with an invalid %s', async (param, scorer) => {
  const client = await projectOf(server, 'scorers');
  const { id: dataset } = await createDataset(client, { format: 'evaluation' });
  await store(client, 'One');
  const batch = await runFiles(client, await createDataset(client, { format: 'batch' }));
  const body = { dataset, candidate_batch_ids: [batch], scorers: [scorer as ComparisonScorer] };
  await expect(compareDataset(client, body)).rejects.toMatchObject({ status: 400, param });
});

test('an expression with many ways to match takes linear time', async () => {
  const client = await projectOf(server, 'linear');
  await store(client, 'One', { temperature: 0 });
  const { id: dataset } = await createDataset(client, { format: 'evaluation' });
  const batch = await runFiles(client, await createDataset(client, { format: 'batch', dataset }));
  const scorers = [{ type: 'regex', pattern: '((.|\\n)*)*x((.|\\n)*)*y' }] as const;
  expect(await compareDataset(client, { dataset, candidate_batch_ids: [batch], scorers })).toMatchObject({
    counts: { cases: 1 },
  });
});
