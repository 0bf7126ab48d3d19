import type {
  Batch,
  Dataset,
  DatasetCompareParams,
  DatasetComparison,
  DatasetCreateParams,
  ListParams,
} from '@modelwire/client';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { isStartedBy } from './batches.ts';
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

/** Compares replies to the requests of a dataset. The server runs the requests of the scorers. Resolves to the ID of the comparison. */
export function compareDataset(body: DatasetCompareParams, onStep: OnStep): Promise<string> {
  return runRequest('/v1/datasets/compare', body, 'Comparing', onStep);
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
  body: DatasetCreateParams | DatasetCompareParams,
  step: string,
  onStep: OnStep,
): Promise<string> {
  const line = JSON.stringify({ custom_id: 'request', method: 'POST', url: endpoint, body });
  const input = await api.files.create({ file: new File([line], 'request.jsonl'), purpose: 'batch' });
  const { id } = await api.batches.create({
    input_file_id: input.id,
    endpoint,
    completion_window: '24h',
    ...(body.name !== undefined && { metadata: { name: body.name } }),
  });
  const batch = await api.batches.wait(id, {
    onUpdate: ({ waiting_for: waiting }) => {
      if (waiting?.reason === 'batches') void describeStarted(id).then(onStep, () => onStep(step));
      else onStep(step);
    },
  });
  for await (const result of api.batches.results<typeof endpoint>(batch)) {
    if (!result.ok) throw new Error(result.error.message);
    const id = result.body['id'];
    if (typeof id === 'string') return id;
  }
  throw new Error(`The batch ${batch.id} is ${batch.status}.`);
}

/** The progress of the batches that a batch has started. */
async function describeStarted(id: string): Promise<string> {
  const { data } = await fetchPage(api.batches.list({ limit: 100 }));
  const counts = data.filter(isStartedBy(id)).map(({ request_counts }) => request_counts);
  const sum = (count: (of: NonNullable<Batch['request_counts']>) => number): number =>
    counts.reduce((total, of) => total + (of ? count(of) : 0), 0);
  const done = sum(({ completed, failed }) => completed + failed);
  return `Running the requests of the scorers: ${done} of ${sum(({ total }) => total)}`;
}
