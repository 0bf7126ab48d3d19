import { datasetSchema } from '@modelwire/schema/internal';
import type { Dataset } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { splitLines } from '../../media/files/lines.ts';
import { readSegments } from '../../media/files/read-segments.ts';
import { findStoredFile, readAll } from '../../media/files/stored-file.ts';
import { parseItem } from './dataset-item.ts';
import type { DatasetItem } from './dataset-item.ts';

/** A dataset of the format `evaluation`. @throws a 404 if the project has no such dataset, and a 400 for another format. */
export async function findDataset(
  id: string,
  call: Pick<Call, 'principal' | 'client'>,
  server: ServerContext,
): Promise<Dataset> {
  const { file, content } = await findStoredFile(id, 'dataset', call, server);
  if (file.purpose !== 'dataset') throw notFound('dataset', id, 'dataset');
  const text = new TextDecoder().decode(await readAll(content, server, call.client.signal));
  const dataset = datasetSchema.parse(JSON.parse(text));
  if (dataset.format !== 'evaluation')
    throw invalid('dataset', `Invalid value for 'dataset': its format is '${dataset.format}', not 'evaluation'.`);
  return dataset;
}

/** The items of a dataset, one in memory at a time. @throws a 404 if one of its files was deleted. */
export async function* itemsOf(
  { files }: Dataset,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): AsyncGenerator<DatasetItem> {
  for (const { file_id } of files)
    for await (const line of linesOf(file_id, 'dataset', call, server)) yield parseItem(line);
}

/** The lines of a file. A line has a request and its reply: it may be longer than either. */
export async function* linesOf(
  id: string,
  param: string,
  call: Pick<Call, 'principal'>,
  server: ServerContext,
): AsyncGenerator<string> {
  const { content } = await findStoredFile(id, param, call, server);
  for await (const { text } of splitLines(readSegments(server, content), 4 * server.options.maxBodyBytes)) {
    if (text === undefined)
      throw invalid(param, `Invalid value for '${param}': the file '${id}' has a line that cannot be read.`);
    yield text;
  }
}
