import { batchOutputLineSchema } from '@modelwire/schema/internal';
import type { BatchOutputLine } from '@modelwire/schema/types';
import { hasEnded } from '../../batches/status.ts';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, invalidState, notFound } from '../../errors.ts';
import { projectStores } from '../../media/files/storage.ts';
import { linesOf } from './read-dataset.ts';

/** The results of batches, in the order of their requests, each read once. */
export interface BatchResults {
  /** The result with this ID, if it is the next one. Requests that failed have none. */
  take(customId: string): Promise<BatchOutputLine | undefined>;
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
  const { batches } = projectStores(call, server);
  const files: string[] = [];
  for (const id of ids) {
    const record = await batches.get(id);
    if (!record) throw notFound('batch', id, param);
    if (!hasEnded(record.batch)) throw invalidState(`The batch '${id}' in '${param}' has not ended.`);
    if (record.batch.output_file_id) files.push(record.batch.output_file_id);
  }
  const lines = resultsIn(files, param, call, server);
  let next: BatchOutputLine | undefined;
  const peek = async (): Promise<BatchOutputLine | undefined> => (next ??= (await lines.next()).value ?? undefined);
  return {
    async take(customId) {
      const result = await peek();
      if (result?.custom_id !== customId) return undefined;
      next = undefined;
      return result;
    },
    async end() {
      const rest = await peek();
      await lines.return(undefined);
      if (rest)
        throw invalid(
          param,
          `Invalid value for '${param}': the result '${rest.custom_id}' is of no item of the dataset, or out of its order.`,
        );
    },
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
