import { maxCrashes } from '../../jobs/suspects.ts';
import type { Suspects } from '../../jobs/suspects.ts';
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

/** Says in which unit the validation of an input crashed its server too often. */
export function crashMessage(unit: number): string {
  const first = chunkOfUnit(unit) * linesPerChunk + 1;
  // Without a chunk, reading the first lines crashed it.
  const what =
    unit === inputUnit ? 'the input file' : `lines ${first} to ${first + linesPerChunk - 1} of the input file`;
  return `Checking ${what} crashed the server ${maxCrashes} times.`;
}
