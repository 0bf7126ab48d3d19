import { yieldAfterLarge } from '@modelwire/adapter-kit/internal';
import type { FileRecord } from '@modelwire/ports';
import { DATASET_ITEMS_MAX } from '@modelwire/schema';
import type { Dataset, DatasetCreateParams } from '@modelwire/schema/types';
import type { Call } from '../../call.ts';
import { nowInSeconds } from '../../clock.ts';
import type { ServerContext } from '../../context.ts';
import { invalid } from '../../errors.ts';
import type { JsonReply } from '../../http/reply.ts';
import { lifetimeOf, newFile } from '../../media/files/file-object.ts';
import { projectStores, singleChunk, writeBlob } from '../../media/files/storage.ts';
import { checkParameters, evaluationFormat, fineTuningFormat, requestFormat } from './dataset-item.ts';
import type { DatasetItem, LineFormat } from './dataset-item.ts';
import { hash64, isInTestPart } from './hash.ts';
import { requestFileLimits } from './line-batches.ts';
import { LineFiles } from './line-files.ts';
import type { LineFile } from './line-files.ts';
import { findDataset, itemsOf } from './read-dataset.ts';
import { redactedItems } from './redacted-items.ts';
import { storeFiles } from './store-files.ts';
import { storedItems } from './stored-items.ts';

type Part = 'train' | 'test' | null;

/** What is known of a format: what a line is, and the file that lines are in. */
const formats = {
  fine_tuning: { purpose: 'fine-tune', lineOf: () => fineTuningFormat, limits: undefined },
  evaluation: { purpose: 'evals', lineOf: () => evaluationFormat, limits: undefined },
  batch: { purpose: 'batch', lineOf: requestFormat, limits: requestFileLimits },
} as const;

/** POST /datasets: reads completions one after the other, and writes their lines to files. The last file says what the others are. */
export async function createDataset(
  call: Call<DatasetCreateParams>,
  server: ServerContext,
): Promise<JsonReply<Dataset>> {
  const { body, principal, client } = call;
  checkFields(body);
  await server.storageQuota.assertHasSpace(principal);
  const run = async (): Promise<Dataset> => {
    const { signal } = client;
    const { purpose, lineOf, limits } = formats[body.format];
    const files = new LineFiles<Part>(server, signal, limits);
    try {
      const { redaction } = server.options;
      const items = await sourceOf(call, server);
      const redacted = redaction ? redactedItems(items, redaction, signal) : items;
      const counts = await writeLines(redacted, files, body, lineOf(body.parameters ?? {}));
      const written = await files.close(body.split ? ['train', 'test'] : [null]);
      const { name = 'dataset', expires_after } = body;
      const records = written.map((file, index) => {
        const filename = `${name}${file.part === 'test' ? '-test' : ''}${nameOfRepeated(written, index)}.jsonl`;
        const init = { filename, purpose, mediaType: 'application/jsonl', content: [file.segment] };
        return newFile(server, { ...init, expiresAfter: lifetimeOf(purpose, expires_after) });
      });
      const id = server.createId('file-');
      const dataset = describe({ id, body, counts, written, records, server });
      const segment = await writeBlob(server, singleChunk(new TextEncoder().encode(JSON.stringify(dataset))), signal);
      const manifest = newFile(server, {
        filename: `${name}.json`,
        purpose: 'dataset',
        mediaType: 'application/json',
        content: [segment],
        expiresAfter: expires_after?.seconds,
      });
      await storeFiles(call, server, [...records, { ...manifest, file: { ...manifest.file, id } }]);
      return dataset;
    } catch (error) {
      await files.discard();
      throw error;
    }
  };
  return { status: 200, body: await server.datasetSemaphore.run(run, client.signal, principal.project) };
}

function checkFields({ format, filter, dataset, parameters }: DatasetCreateParams): void {
  if (filter && dataset !== undefined)
    throw invalid('filter', "Invalid value for 'filter': a dataset of a 'dataset' has no filter.");
  if (!parameters) return;
  if (format !== 'batch')
    throw invalid('parameters', "Invalid value for 'parameters': only the format 'batch' has parameters.");
  checkParameters(parameters);
}

async function sourceOf(call: Call<DatasetCreateParams>, server: ServerContext): Promise<AsyncIterable<DatasetItem>> {
  const { dataset, filter = {} } = call.body;
  if (dataset !== undefined) return itemsOf(await findDataset(dataset, call, server), call, server);
  return storedItems(projectStores(call, server).completions, filter);
}

async function writeLines(
  items: AsyncIterable<DatasetItem>,
  files: LineFiles<Part>,
  { deduplicate = true, split, limit = DATASET_ITEMS_MAX }: DatasetCreateParams,
  format: LineFormat,
): Promise<Dataset['counts']> {
  const counts = { completions: 0, lines: 0, duplicates: 0, skipped: 0 };
  const seen = new Set<bigint>();
  for await (const item of items) {
    counts.completions++;
    const formatted = format(item);
    if (!formatted) {
      counts.skipped++;
      continue;
    }
    const line = JSON.stringify(formatted.line);
    if (deduplicate) {
      const identity = hash64(JSON.stringify(formatted.identity));
      if (seen.has(identity)) {
        counts.duplicates++;
        continue;
      }
      seen.add(identity);
    }
    const part = split ? (isInTestPart(item.item.id, split) ? 'test' : 'train') : null;
    await files.add(part, line);
    await yieldAfterLarge(line.length);
    if (++counts.lines === limit) break;
  }
  return counts;
}

/** The number of a file that is not the first of its part. */
function nameOfRepeated(files: readonly LineFile<Part>[], index: number): string {
  const earlier = files.slice(0, index).filter(({ part }) => part === files[index]?.part).length;
  return earlier === 0 ? '' : `-${earlier + 1}`;
}

function describe({
  id,
  body: { name = 'dataset', format, filter, dataset, split, deduplicate = true, parameters },
  counts,
  written,
  records,
  server,
}: {
  readonly id: string;
  readonly body: DatasetCreateParams;
  readonly counts: Dataset['counts'];
  readonly written: readonly LineFile<Part>[];
  readonly records: readonly FileRecord[];
  readonly server: ServerContext;
}): Dataset {
  return {
    id,
    object: 'dataset',
    name,
    created_at: nowInSeconds(server.clock),
    format,
    filter: dataset === undefined ? (filter ?? {}) : null,
    dataset: dataset ?? null,
    split: split ?? null,
    deduplicated: deduplicate,
    redacted: server.options.redaction !== undefined,
    parameters: parameters ?? null,
    counts,
    files: written.map(({ part, lines, segment }, index) => ({
      file_id: records[index]?.file.id ?? '',
      split: part,
      lines,
      bytes: segment.bytes,
      sha256: segment.sha256 ?? '',
    })),
  };
}
