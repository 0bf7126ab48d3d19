import type { BatchError } from '@modelwire/schema/types';
import { maxCrashes } from '../../jobs/recovery.ts';
import type { Suspects } from '../../jobs/recovery.ts';
import type { SplitLine } from './input.ts';

/** Number of the unit of work that validates the input, before it is known where it crashes. Lines have the numbers from 0. */
export const inputUnit = -1;
/** Lines that are validated between two records of progress, after a crash: each record is a commit. */
const linesPerChunk = 256;

/** The unit of work that validates the lines of a chunk: the chunks have the numbers below that of the whole input. */
const unitOfChunk = (chunk: number): number => inputUnit - 1 - chunk;
const chunkOfUnit = (unit: number): number => inputUnit - 1 - unit;

/**
 * Records the chunk that is validated, so that a crash counts only for the lines during which it happened: a server that is killed from outside is
 * at other lines each time.
 */
export async function* recordProgress(lines: AsyncIterable<SplitLine>, suspects: Suspects): AsyncGenerator<SplitLine> {
  let current = -1;
  for await (const line of lines) {
    const chunk = Math.floor((line.number - 1) / linesPerChunk);
    if (chunk !== current) await suspects.advance(unitOfChunk(chunk));
    current = chunk;
    yield line;
  }
}

/** The most crashes during which validation was alone at the same lines; undefined if it is not a suspect. */
export function validationCrashes(suspects: Suspects): number | undefined {
  for (let crashes = maxCrashes; crashes >= 0; crashes--) if (suspects.withCrashes(crashes).length > 0) return crashes;
  return undefined;
}

/** The error of an input whose validation crashed its server too often. */
export function inputCrashError(suspects: Suspects): BatchError {
  const [unit = inputUnit] = suspects.withCrashes(maxCrashes);
  const first = chunkOfUnit(unit) * linesPerChunk + 1;
  // Without a chunk, reading the first lines crashed it.
  const what =
    unit === inputUnit ? 'the input file' : `lines ${first} to ${first + linesPerChunk - 1} of the input file`;
  return {
    code: 'worker_crashed',
    line: null,
    message: `Checking ${what} crashed the server ${maxCrashes} times.`,
    param: 'input_file_id',
  };
}
