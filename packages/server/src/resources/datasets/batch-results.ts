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

/** The parameter that names batches, and the dataset whose requests they ran. */
interface Source {
  readonly param: string;
  /** Undefined for requests of a scorer. */
  readonly dataset: string | undefined;
}

/** @throws a 404 if the project has no such batch, and a 400 if one has not ended. */
export async function openResults(
  ids: readonly string[],
  source: Source,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): Promise<BatchResults> {
  const { param } = source;
  const files = { output: new Array<string>(), error: new Array<string>() };
  const invalidInputs: Failure[] = [];
  let count = 0;
  for await (const batch of batchesOf(ids, source, call, server)) {
    const { output_file_id: output, error_file_id: error, errors } = batch;
    if (output) files.output.push(output);
    if (error) files.error.push(error);
    count++;
    const [first] = errors?.data ?? [];
    if (first?.message) invalidInputs.push(new Failure(first.message, first.code ?? null));
  }
  const [invalidInput] = count === 1 ? invalidInputs : [];
  const missing = invalidInput ?? new Failure('The batch has no result for the request.');
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
  source: Source,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): AsyncGenerator<Batch> {
  const { param } = source;
  const { batches } = projectStores(call, server);
  for (const id of ids) {
    const record = await batches.get(id);
    if (!record) throw notFound('batch', id, param);
    const { batch } = record;
    if (!hasEnded(batch)) throw invalidState(`The batch '${id}' in '${param}' has not ended.`);
    if (batch.endpoint !== rerunEndpoint) yield batch;
    else yield* batchesOf(await idsOfRerun(batch, source, call, server), source, call, server);
  }
}

/** The batches that a rerun has started. @throws a 400 for one that failed, or is of another dataset. */
async function idsOfRerun(
  { id, output_file_id: output, error_file_id: error }: Batch,
  { param, dataset }: Source,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): Promise<readonly string[]> {
  const ofRerun = `The rerun '${id}' in '${param}'`;
  const reruns: BatchOutputLine[] = [];
  for await (const line of resultsIn(output ? [output] : [], param, call, server)) reruns.push(line);
  const [result] = reruns;
  if (!result) {
    const lines = resultsIn(error ? [error] : [], param, call, server);
    const { value } = await lines.next();
    await lines.return(undefined);
    throw invalidState(`${ofRerun} failed: ${(value && failureOf(value)?.message) ?? 'it has no result.'}`);
  }
  const { data: rerun } = datasetRerunSchema.safeParse(result.response?.body);
  if (!rerun || reruns.length > 1) throw invalidState(`${ofRerun} is not one rerun: name the batches that it started.`);
  if (dataset !== undefined && rerun.dataset !== dataset)
    throw invalid(param, `Invalid value for '${param}': the rerun '${id}' is of the dataset '${rerun.dataset}'.`);
  return rerun.batch_ids;
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
