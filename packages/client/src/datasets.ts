import { createTransport } from '@modelwire/core';
import type { ApiPromise, CallOptions, ClientOptions } from '@modelwire/core';
import { compareDataset, createDataset, rerunDataset } from '@modelwire/schema/routes';
import type {
  Dataset,
  DatasetCompareParams,
  DatasetComparison,
  DatasetCreateParams,
  DatasetRerun,
  DatasetRerunParams,
} from '@modelwire/schema/types';

/** Stored completions as files (Modelwire servers only). Every method rejects only with a `ModelwireError`. */
export interface DatasetsClient {
  /** Writes stored completions to files, and resolves when they are stored. As the line of a batch, it survives a restart of the server. */
  create(params: DatasetCreateParams, options?: CallOptions): ApiPromise<Dataset>;
  /** Starts a batch that runs the requests of a dataset again. Its result has the batches with the replies. */
  rerun(params: DatasetRerunParams, options?: CallOptions): ApiPromise<DatasetRerun>;
  /** Compares replies to the requests of a dataset, and resolves when the report is stored. */
  compare(params: DatasetCompareParams, options?: CallOptions): ApiPromise<DatasetComparison>;
}

/** Creates a client for datasets. Throws an `InputError` for an invalid base URL. */
export function createDatasets(options: ClientOptions = {}): DatasetsClient {
  const transport = createTransport(options);
  return {
    create: (body, callOptions) => transport.request(createDataset, { ...callOptions, body }),
    rerun: (body, callOptions) => transport.request(rerunDataset, { ...callOptions, body }),
    compare: (body, callOptions) => transport.request(compareDataset, { ...callOptions, body }),
  };
}
