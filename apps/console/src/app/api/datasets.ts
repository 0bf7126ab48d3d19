import type {
  BatchEndpoint,
  ComparisonScorer,
  Dataset,
  DatasetCompareParams,
  DatasetComparison,
  DatasetCreateParams,
  ListParams,
} from '@modelwire/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { cursorPagination, fetchPage } from './paging.ts';

/** The files whose contents are datasets, newest first. */
export const datasetsQuery = infiniteQueryOptions({ queryKey: ['datasets'], ...listReports('dataset') });

/** The files whose contents are comparisons, newest first. */
export const comparisonsQuery = infiniteQueryOptions({ queryKey: ['comparisons'], ...listReports('comparison') });

interface PageContext {
  readonly pageParam: ListParams['after'];
  readonly signal: AbortSignal;
}

function listReports(purpose: 'dataset' | 'comparison') {
  return {
    ...cursorPagination,
    queryFn: ({ pageParam: after, signal }: PageContext) =>
      fetchPage(api.files.list({ purpose, limit: 50, after }, { signal })),
  };
}

export function datasetQuery(id: string) {
  return queryOptions({
    queryKey: ['dataset', id],
    queryFn: ({ signal }) => readReport<Dataset>(id, 'dataset', signal),
    staleTime: Infinity,
  });
}

export function comparisonQuery(id: string) {
  return queryOptions({
    queryKey: ['comparison', id],
    queryFn: ({ signal }) => readReport<DatasetComparison>(id, 'comparison', signal),
    staleTime: Infinity,
  });
}

/** The content of a file with this purpose. */
async function readReport<Report>(
  id: string,
  purpose: 'dataset' | 'comparison',
  signal?: AbortSignal,
): Promise<Report> {
  const file = await api.files.retrieve(id, { signal });
  if (file.purpose !== purpose) throw new Error(`The file ${file.filename} has the purpose ${file.purpose}.`);
  return (await (await api.files.content(id, { signal })).json()) as Report;
}

/** Receives what is being done, such as `Reading the completions`. */
export type OnStep = (step: string) => void;

/** Creates a dataset. Resolves to its ID. */
export function createDataset(body: DatasetCreateParams, onStep: OnStep): Promise<string> {
  return runRequest('/v1/datasets', body, 'Reading the completions', onStep);
}

/** Runs the requests of a dataset again, as one batch for each file of them. Resolves to the IDs of the batches. */
export async function rerunDataset(
  { id, name }: Dataset,
  parameters: Readonly<Record<string, unknown>>,
  onStep: OnStep,
): Promise<readonly string[]> {
  const body: DatasetCreateParams = { name, format: 'batch', dataset: id, parameters, deduplicate: false };
  const requests = await readReport<Dataset>(
    await runRequest('/v1/datasets', body, 'Writing the requests', onStep),
    'dataset',
  );
  const model = parameters['model'];
  const title = typeof model === 'string' ? `${name} with ${model}` : `${name} again`;
  const batches: string[] = [];
  for (const { file_id } of requests.files) {
    const { id: batch } = await createBatch(file_id, '/v1/chat/completions', { name: title, dataset_id: id });
    batches.push(batch);
  }
  return batches;
}

/** Compares replies to the requests of a dataset, and first runs the requests of the scorers. Resolves to the ID of the comparison. */
export async function compareDataset(
  body: DatasetCompareParams & { readonly scorers: readonly ComparisonScorer[] },
  onStep: OnStep,
): Promise<string> {
  const compare = (scorers: readonly ComparisonScorer[]): Promise<string> =>
    runRequest('/v1/datasets/compare', { ...body, scorers }, 'Comparing', onStep);
  const id = await compare(body.scorers);
  const preliminary = await readReport<DatasetComparison>(id, 'comparison');
  if (preliminary.scorers.every(({ request_file_ids }) => request_file_ids.length === 0)) return id;
  const scorers: ComparisonScorer[] = [];
  for (const [index, scorer] of body.scorers.entries()) {
    const files = preliminary.scorers[index]?.request_file_ids ?? [];
    scorers.push(files.length === 0 ? scorer : await withResults(scorer, files, onStep));
  }
  const complete = await compare(scorers);
  await deleteComparison(preliminary);
  return complete;
}

/** The scorer with the batches that ran its requests. */
async function withResults(
  scorer: ComparisonScorer,
  files: readonly string[],
  onStep: OnStep,
): Promise<ComparisonScorer> {
  if (scorer.type !== 'embedding' && scorer.type !== 'judge') return scorer;
  const endpoint = scorer.type === 'embedding' ? '/v1/embeddings' : '/v1/chat/completions';
  const batch_ids: string[] = [];
  for (const file of files) batch_ids.push((await runFile(file, endpoint, `Running the ${scorer.type}`, onStep)).id);
  return { ...scorer, batch_ids };
}

/** Deletes a dataset with its files. */
export async function deleteDataset({ id, files }: Dataset): Promise<void> {
  for (const { file_id } of files) await api.files.delete(file_id);
  await api.files.delete(id);
}

/** Deletes a comparison with its files. */
export async function deleteComparison({ id, cases_file_id, csv_file_id }: DatasetComparison): Promise<void> {
  if (typeof cases_file_id === 'string') await api.files.delete(cases_file_id);
  await api.files.delete(csv_file_id);
  await api.files.delete(id);
}

/** Sends a request as the line of a batch, so that it survives a restart of the server. Resolves to the ID of what it created. */
async function runRequest(
  endpoint: '/v1/datasets' | '/v1/datasets/compare',
  body: object,
  step: string,
  onStep: OnStep,
): Promise<string> {
  const line = JSON.stringify({ custom_id: 'request', method: 'POST', url: endpoint, body });
  const input = await api.files.create({ file: new File([line], 'request.jsonl'), purpose: 'batch' });
  const batch = await runFile(input.id, endpoint, step, onStep);
  for await (const result of api.batches.results<typeof endpoint>(batch)) {
    if (!result.ok) throw new Error(result.error.message);
    const id = result.body['id'];
    if (typeof id === 'string') return id;
  }
  throw new Error(`The batch ${batch.id} is ${batch.status}.`);
}

async function runFile(file: string, endpoint: BatchEndpoint, step: string, onStep: OnStep) {
  const { id } = await createBatch(file, endpoint);
  return api.batches.wait(id, {
    onUpdate: ({ request_counts: counts }) => {
      const total = counts?.total ?? 0;
      onStep(total > 1 ? `${step}: ${(counts?.completed ?? 0) + (counts?.failed ?? 0)} of ${total} requests` : step);
    },
  });
}

function createBatch(input_file_id: string, endpoint: BatchEndpoint, metadata?: Readonly<Record<string, string>>) {
  return api.batches.create({ input_file_id, endpoint, completion_window: '24h', ...(metadata && { metadata }) });
}
