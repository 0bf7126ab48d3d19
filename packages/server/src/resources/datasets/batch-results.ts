import { batchOutputLineSchema, datasetRerunSchema } from '@modelwire/schema/internal';
import type { Batch, BatchOutputLine } from '@modelwire/schema/types';
import { rerunEndpoint } from '../../batches/started-batches.ts';
import { hasEnded } from '../../batches/status.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, invalidState, notFound } from '../../errors.ts';
import { projectStores } from '../../media/files/storage.ts';
import { Failure, failureOf } from './failures.ts';
import { linesOf } from './read-dataset.ts';

/** The results of batches, in the order of their requests, each read once. */
export interface BatchResults {
  /** The result with this ID, if it is the next one, or why there is none. */
  take(customId: string): Promise<BatchOutputLine | Failure>;
  /** @throws a 400 if results are left: they are of other requests, or in another order. */
  end(): Promise<void>;
}

/** @throws a 404 if the project has no such batch, and a 400 if one has not ended. */
export async function openResults(
  ids: readonly string[],
  param: string,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): Promise<BatchResults> {
  const files = { output: new Array<string>(), error: new Array<string>() };
  let missing = new Failure('The batch has no result for the request.');
  for await (const batch of batchesOf(ids, param, call, server)) {
    const { output_file_id: output, error_file_id: error, errors } = batch;
    if (output) files.output.push(output);
    if (error) files.error.push(error);
    // Of a batch whose input is invalid.
    const [first] = errors?.data ?? [];
    if (first) missing = new Failure(first.message ?? missing.message, first.code ?? null);
  }
  const readers = [files.output, files.error].map((all) => peekable(resultsIn(all, param, call, server)));
  return {
    async take(customId) {
      for (const reader of readers) {
        const result = await reader.peek();
        if (result?.custom_id !== customId) continue;
        reader.skip();
        return failureOf(result) ?? result;
      }
      return missing;
    },
    async end() {
      for (const reader of readers) {
        const rest = await reader.peek();
        await reader.close();
        if (rest)
          throw invalid(
            param,
            `Invalid value for '${param}': the result '${rest.custom_id}' is of no item of the dataset, or out of its order.`,
          );
      }
    },
  };
}

/** The batches with these IDs, and those of a rerun in its place. */
async function* batchesOf(
  ids: readonly string[],
  param: string,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): AsyncGenerator<Batch> {
  const { batches } = projectStores(call, server);
  for (const id of ids) {
    const record = await batches.get(id);
    if (!record) throw notFound('batch', id, param);
    const { batch } = record;
    if (!hasEnded(batch)) throw invalidState(`The batch '${id}' in '${param}' has not ended.`);
    if (batch.endpoint !== rerunEndpoint) {
      yield batch;
      continue;
    }
    if (!batch.output_file_id) throw invalidState(`The rerun '${id}' in '${param}' has no results.`);
    for await (const { response } of resultsIn([batch.output_file_id], param, call, server))
      yield* batchesOf(datasetRerunSchema.parse(response?.body).batch_ids, param, call, server);
  }
}

/** The next result can be read without being taken. */
function peekable(lines: AsyncGenerator<BatchOutputLine, undefined, undefined>) {
  let next: BatchOutputLine | undefined;
  return {
    peek: async (): Promise<BatchOutputLine | undefined> => (next ??= (await lines.next()).value ?? undefined),
    skip: (): void => {
      next = undefined;
    },
    close: () => lines.return(undefined),
  };
}

async function* resultsIn(
  files: readonly string[],
  param: string,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): AsyncGenerator<BatchOutputLine, undefined, undefined> {
  for (const id of files)
    for await (const line of linesOf(id, param, call, server)) yield batchOutputLineSchema.parse(JSON.parse(line));
}
