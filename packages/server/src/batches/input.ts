import type { Batch } from '@modelwire/schema/types';
import { BlobMissingError } from '../ports/blobs.ts';
import type { BatchRun } from './batch-run.ts';
import { readInput } from './read-input.ts';
import { splitLines } from './split-lines.ts';
import type { SplitLine } from './split-lines.ts';

/** The input file was deleted, or has expired, before its batch was through. */
export class InputGoneError extends Error {
  override readonly name = 'InputGoneError';

  constructor() {
    super('The input file was deleted before the batch had ended.');
  }
}

/** The lines of the batch's input. @throws InputGoneError, also halfway. */
export async function* inputLines({ kit, files, blobs }: BatchRun, batch: Batch): AsyncGenerator<SplitLine> {
  const record = await files.get(batch.input_file_id);
  if (!record) throw new InputGoneError();
  try {
    yield* splitLines(readInput(blobs, record.content), kit.options.maxBodyBytes);
  } catch (error) {
    throw error instanceof BlobMissingError ? new InputGoneError() : error;
  }
}
