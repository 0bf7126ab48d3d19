import type { Batch } from '@modelwire/schema/types';
import { BlobMissingError } from '@modelwire/ports';
import type { BatchRun } from './batch-run.ts';
import { readInput } from './read-input.ts';
import { splitLines } from './split-lines.ts';
import type { SplitLine } from './split-lines.ts';

/** The input file was deleted or expired before the batch ended. */
export class InputDeletedError extends Error {
  override readonly name = 'InputDeletedError';

  constructor() {
    super('The input file was deleted or expired before the batch ended.');
  }
}

/**
 * The lines of the input file. @throws InputDeletedError, also after some lines. If bytes are missing while the record of the file exists,
 * the file was not deleted: the error is thrown as it is, and the job is retried.
 */
export async function* inputLines({ server, files, blobs }: BatchRun, batch: Batch): AsyncGenerator<SplitLine> {
  const record = await files.get(batch.input_file_id);
  if (!record) throw new InputDeletedError();
  try {
    yield* splitLines(readInput(blobs, record.content), server.options.maxBodyBytes);
  } catch (error) {
    const deleted = error instanceof BlobMissingError && !(await files.get(batch.input_file_id));
    throw deleted ? new InputDeletedError() : error;
  }
}
