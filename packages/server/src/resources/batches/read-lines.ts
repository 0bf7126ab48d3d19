import { crc32 } from 'node:zlib';
import { createSemaphore, yieldToEventLoop } from '@modelwire/adapter-kit';
import { concatBytes } from '@modelwire/adapter-kit/internal';
import type { BlobSegment } from '@modelwire/ports';
import type { Batch } from '@modelwire/schema/types';
import { readSegments } from '../../media/files/read-segments.ts';
import type { BatchRun } from './batch-run.ts';
import { decodeLine } from '../../media/files/lines.ts';
import { InputLostError, inputLines, parseValidatedLine, readInputFile } from './input.ts';
import { createLinePlanner } from './line-plan.ts';
import type { LinePlan } from './line-plan.ts';

/** Bytes and lines that are read before the first of them runs. A line that is longer is read alone. */
const maxBytesAhead = 512 * 1024;
const maxLinesAhead = 512;
/** Bytes between two lines that are read and discarded, because that is faster than another read. */
const maxGap = 4096;
/** Reads of the storage at the same time. */
const maxReads = 8;
/** Bytes of lines that are handed out before yielding to other requests. */
const bytesPerTurn = 32 * 1024;

/** The plan of a batch that was validated, read once for each claim. @throws InputLostError */
export function linePlanOf(run: BatchRun, batch: Batch): Promise<LinePlan> {
  return (run.linePlan.current ??= planLines(run, batch));
}

/** Reads the input file whole, so that no line of a damaged file is sent. */
async function planLines(run: BatchRun, batch: Batch): Promise<LinePlan> {
  const planner = createLinePlanner();
  let hasChanged = false;
  for await (const line of inputLines(run, batch)) {
    run.signal.throwIfAborted();
    const body = line.text === undefined ? undefined : await bodyOf(line.text);
    hasChanged ||= line.text !== undefined && body === undefined;
    planner.add(line, body);
  }
  if (hasChanged) throw new InputLostError('content_corrupted');
  return planner.finish();
}

async function bodyOf(text: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return (await parseValidatedLine(text)).body;
  } catch {
    return undefined;
  }
}

/** The texts of lines of the input file, in this order. Storage is read when a text is asked for. @throws InputLostError */
export function readLines(
  { server, files, signal }: BatchRun,
  batch: Batch,
  plan: LinePlan,
  lines: readonly number[],
): AsyncGenerator<string, undefined> {
  return readInputFile(files, batch, async function* (content) {
    let bytesInTurn = 0;
    for (const ahead of splitAhead(plan, lines)) {
      const texts = await readAhead(server, content, plan, ahead);
      for (const line of ahead) {
        const text = texts.get(line);
        if (text === undefined) {
          // Reports what is damaged, and throws.
          for await (const piece of readSegments(server, content)) if (piece.length > 0) signal.throwIfAborted();
          throw new InputLostError('content_corrupted');
        }
        yield text;
        bytesInTurn += text.length;
        if (bytesInTurn < bytesPerTurn) continue;
        bytesInTurn = 0;
        await yieldToEventLoop();
      }
    }
  });
}

function* splitAhead(plan: LinePlan, lines: readonly number[]): Generator<readonly number[]> {
  let ahead: number[] = [];
  let bytes = 0;
  for (const line of lines) {
    const { start, end } = plan.locate(line);
    if (ahead.length > 0 && (bytes + end - start > maxBytesAhead || ahead.length >= maxLinesAhead)) {
      yield ahead;
      ahead = [];
      bytes = 0;
    }
    ahead.push(line);
    bytes += end - start;
  }
  if (ahead.length > 0) yield ahead;
}

/** The texts of these lines. Those that have changed in the storage are missing. */
async function readAhead(
  server: BatchRun['server'],
  content: readonly BlobSegment[],
  plan: LinePlan,
  lines: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const texts = new Map<number, string>();
  const reads = createSemaphore(maxReads);

  async function readRun(run: readonly number[]): Promise<void> {
    const first = plan.locate(run[0] ?? 0).start;
    const range = { start: first, end: plan.locate(run.at(-1) ?? 0).end };
    const pieces: Uint8Array[] = [];
    for await (const piece of readSegments(server, content, range)) pieces.push(piece);
    const bytes = concatBytes(pieces);
    for (const line of run) {
      const { start, end, checksum } = plan.locate(line);
      const own = bytes.subarray(start - first, end - first);
      if (crc32(own) === checksum) texts.set(line, decodeLine(own, start));
    }
  }
  await Promise.all(adjacentRuns(plan, lines).map((run) => reads.run(() => readRun(run))));
  return texts;
}

/** Groups of lines that are close to each other in the file. */
function adjacentRuns(plan: LinePlan, lines: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let end = -Infinity;
  for (const line of lines.toSorted((a, b) => a - b)) {
    const location = plan.locate(line);
    if (location.start - end > maxGap) runs.push([line]);
    else runs.at(-1)?.push(line);
    ({ end } = location);
  }
  return runs;
}
