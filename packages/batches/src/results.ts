import { InputError } from '@modelwire/core';
import type { CallOptions, Transport } from '@modelwire/core';
import type { FilesClient } from '@modelwire/files';
import type { Batch, BatchEndpoint, BatchOutputLine } from '@modelwire/schema/types';
import { readJsonLines } from './jsonl.ts';
import { parseResult } from './lines.ts';
import type { BatchResult } from './lines.ts';

/** Whether a batch has a final status. */
export function hasEnded({ status }: Batch): boolean {
  return status === 'completed' || status === 'failed' || status === 'expired' || status === 'cancelled';
}

/** The lines of the output file, then those of the error file. Each is passed to the transport's `inspect` first. */
export async function* readResults<E extends BatchEndpoint>(
  files: FilesClient,
  batch: Batch,
  options: CallOptions | undefined,
  inspect: Transport['inspect'],
): AsyncGenerator<BatchResult<E>, void, undefined> {
  if (!hasEnded(batch))
    throw new InputError(`The batch ${batch.id} has no results yet: its status is ${batch.status}.`);
  for (const fileId of [batch.output_file_id, batch.error_file_id]) {
    if (typeof fileId !== 'string') continue;
    const { body } = await files.content(fileId, options);
    if (body === null) continue;
    for await (const line of readJsonLines<BatchOutputLine>(body)) {
      inspect?.(line, { route: { method: 'POST', path: batch.endpoint }, part: 'line', details: {} });
      yield parseResult<E>(line);
    }
  }
}
