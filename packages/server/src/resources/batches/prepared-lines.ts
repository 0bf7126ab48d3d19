import type { BatchedRequest, BatchProvider, BlobSegment, LineRange } from '@modelwire/ports';
import { createBlobWriter } from '../../media/files/blob-writer.ts';
import type { BatchRun } from './batch-run.ts';
import { customIdOf } from './submission-results.ts';

/** Limits of the batch of a provider. */
const maxLines = 50_000;
const maxBytes = 190 * 1024 * 1024;

/** Lines for one batch of a provider, which are stored as they are prepared. */
export interface PreparedLines {
  readonly provider: BatchProvider;
  readonly model: string;
  readonly endpoint: string;
  /** Whether the line with so many bytes has to go to another batch. */
  isFull(bytes: number): boolean;
  add(line: number, bytes: Uint8Array): Promise<void>;
  /** Ends the input. Resolves with where it is stored, and its lines. */
  close(): Promise<{ readonly segment: BlobSegment; readonly lines: readonly LineRange[] }>;
  /** Releases what was stored. */
  discard(): Promise<void>;
}

interface PreparedLinesInit extends Pick<PreparedLines, 'provider' | 'model' | 'endpoint'> {
  readonly signal: AbortSignal;
}

/** The line of the input file of a provider. */
export function preparedLine(line: number, endpoint: string, { body }: BatchedRequest): Uint8Array {
  const start = JSON.stringify({ custom_id: customIdOf(line), method: 'POST', url: endpoint });
  return new TextEncoder().encode(`${start.slice(0, -1)},"body":${body}}\n`);
}

export function createPreparedLines(
  { server }: Pick<BatchRun, 'server'>,
  { signal, ...init }: PreparedLinesInit,
): PreparedLines {
  const writer = createBlobWriter(server, signal);
  const lines: number[] = [];
  let length = 0;
  return {
    ...init,
    isFull: (bytes) => lines.length >= maxLines || (lines.length > 0 && length + bytes > maxBytes),
    async add(line, bytes) {
      lines.push(line);
      length += bytes.length;
      await writer.write(bytes);
    },
    close: async () => ({ segment: await writer.close(), lines: rangesOf(lines) }),
    discard: () => writer.discard(),
  };
}

function rangesOf(lines: readonly number[]): readonly LineRange[] {
  const ranges: [number, number][] = [];
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

export function linesIn(ranges: readonly LineRange[]): readonly number[] {
  return ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
}
