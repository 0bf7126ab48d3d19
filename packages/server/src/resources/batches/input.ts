import type { Batch } from '@modelwire/schema/types';
import { BlobMissingError } from '@modelwire/ports';
import type { BatchRun } from './batch-run.ts';
import { readInput } from './read-input.ts';
import { splitLines } from './split-lines.ts';
import type { SplitLine } from './split-lines.ts';

/** The input file was deleted, or has expired, before its batch was through. */
export class InputGoneError extends Error {
  override readonly name = 'InputGoneError';

  constructor() {
    super('The input file was gone before the batch had ended.');
  }
}

/**
 * The lines of the batch's input. @throws InputGoneError, also halfway. Bytes outlast the record of their file: those that are missing
 * while it is there were not deleted, and may be where another server, or this one later, finds them.
 */
export async function* inputLines({ server, files, blobs }: BatchRun, batch: Batch): AsyncGenerator<SplitLine> {
  const record = await files.get(batch.input_file_id);
  if (!record) throw new InputGoneError();
  try {
    yield* splitLines(readInput(blobs, record.content), server.options.maxBodyBytes);
  } catch (error) {
    const deleted = error instanceof BlobMissingError && !(await files.get(batch.input_file_id));
    throw deleted ? new InputGoneError() : error;
  }
}
