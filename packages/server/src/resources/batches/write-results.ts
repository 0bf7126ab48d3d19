import type { Batch, BatchUsage } from '@modelwire/schema/types';
import { nowInSeconds } from '../../clock.ts';
import { isRecord } from '@modelwire/adapter-kit';
import { addCounts } from '@modelwire/adapter-kit/internal';
import type { BatchRecord, BlobSegment, FileRecord } from '@modelwire/ports';
import { discardBlobs, writeBlob } from '../../media/files/storage.ts';
import type { BatchRun } from './batch-run.ts';
import { messageUsageSchema, responseUsageSchema, usageSchema } from '@modelwire/schema/internal';
import type { MessageUsage } from '@modelwire/schema/types';

/** Result files that are written and not yet part of a record, with their totals. */
export interface WrittenResults {
  readonly output: FileRecord | undefined;
  readonly error: FileRecord | undefined;
  readonly completed: number;
  readonly failed: number;
  /** Whether a line had no response when the window ended. */
  readonly expired: boolean;
  readonly usage: BatchUsage | undefined;
  /** Releases the bytes of the files. Call it if no record takes them. */
  discard(): Promise<void>;
}

/**
 * Target length of one page of results, and of one piece of the file. Longer texts are garbage that V8 collects late: with 512 Ki, writing
 * the files of 50,000 lines took up to 75 MB more.
 */
const targetPageLength = 64 * 1024;

/** Writes the output file and the error file, each in the order of lines. Empty files are omitted. */
export async function writeResults(run: BatchRun, { batch, work }: BatchRecord): Promise<WrittenResults> {
  const { server, signal, batches } = run;
  const keys: string[] = [];
  let usage: BatchUsage | undefined;
  let expired = false;
  const counts = { completed: 0, failed: 0 };
  const hasLines = { failed: false };

  const discard = (): Promise<void> => discardBlobs(server, keys);
  async function* lines(failed: boolean): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    let after = -1;
    let limit = 64;
    for (;;) {
      signal.throwIfAborted();
      const page = await batches.results(batch.id, { after, limit });
      const last = page.at(-1);
      if (!last) return;
      after = last.line;
      let text = '';
      let length = 0;
      for (const result of page) {
        length += result.text.length;
        hasLines.failed ||= result.failed;
        if (result.failed !== failed) continue;
        counts[failed ? 'failed' : 'completed']++;
        if (failed) expired ||= isExpired(result.text);
        else usage = addUsage(usage, result.text);
        text += `${result.text}\n`;
      }
      if (text !== '') yield encoder.encode(text);
      // Fewer results per page if they are large.
      limit = Math.max(1, Math.min(500, Math.floor((targetPageLength * page.length) / (length + 1))));
    }
  }
  async function write(kind: 'output' | 'error'): Promise<FileRecord | undefined> {
    const pieces = lines(kind === 'error');
    const first = await pieces.next();
    if (first.done === true) return undefined;
    const segment = await writeBlob(server, prepend(first.value, pieces), signal);
    keys.push(segment.key);
    return record(kind, segment);
  }
  function record(kind: 'output' | 'error', segment: BlobSegment): FileRecord {
    const created_at = nowInSeconds(server.clock);
    return {
      file: {
        id: server.createId('file-'),
        object: 'file',
        bytes: segment.bytes,
        created_at,
        expires_at: work.outputExpiresAfter === undefined ? null : created_at + work.outputExpiresAfter,
        filename: `${batch.id}_${kind}.jsonl`,
        purpose: 'batch_output',
        status: 'processed',
      },
      mediaType: 'application/jsonl',
      content: [segment],
    };
  }

  try {
    const output = await write('output');
    const error = hasLines.failed ? await write('error') : undefined;
    return { output, error, ...counts, expired, usage, discard };
  } catch (error) {
    await discard();
    throw error;
  }
}

/** The batch with its file IDs, counts and usage. */
export function withResults(batch: Batch, { output, error, completed, failed, usage }: WrittenResults): Batch {
  const total = batch.request_counts?.total ?? 0;
  return {
    ...batch,
    output_file_id: output?.file.id ?? null,
    error_file_id: error?.file.id ?? null,
    request_counts: { total, completed, failed },
    ...(usage && { usage }),
  };
}

function isExpired(line: string): boolean {
  const { error } = JSON.parse(line) as { readonly error: { readonly code?: unknown } | null };
  return error?.code === 'batch_expired';
}

async function* prepend(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}

/** Embeddings have no completion tokens. */
const lineUsageSchema = usageSchema.partial({ completion_tokens: true });

/** Adds the usage of one line of the output file to that of the batch. Lines without usage add nothing. */
function addUsage(sum: BatchUsage | undefined, outputLine: string): BatchUsage | undefined {
  const line = JSON.parse(outputLine) as {
    readonly response?: { readonly body?: { readonly usage?: unknown } } | null;
  };
  const added = usageOf(line.response?.body?.usage);
  if (!added) return sum;
  return {
    input_tokens: addCounts(sum?.input_tokens ?? 0, added.input_tokens),
    input_tokens_details: {
      cached_tokens: addCounts(sum?.input_tokens_details.cached_tokens ?? 0, added.input_tokens_details.cached_tokens),
    },
    output_tokens: addCounts(sum?.output_tokens ?? 0, added.output_tokens),
    output_tokens_details: {
      reasoning_tokens: addCounts(
        sum?.output_tokens_details.reasoning_tokens ?? 0,
        added.output_tokens_details.reasoning_tokens,
      ),
    },
    total_tokens: addCounts(sum?.total_tokens ?? 0, added.total_tokens),
  };
}

/** The input tokens of a message do not include those of caches. */
function usageOfMessage(usage: MessageUsage): BatchUsage {
  const cached = usage.cache_read_input_tokens;
  const input = addCounts(addCounts(usage.input_tokens, cached), usage.cache_creation_input_tokens);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: usage.output_tokens,
    output_tokens_details: { reasoning_tokens: usage.output_tokens_details?.thinking_tokens ?? 0 },
    total_tokens: addCounts(input, usage.output_tokens),
  };
}

/** The usage of a line in the fields of a batch, which are those of a response. Undefined if the line has none. */
function usageOf(usage: unknown): BatchUsage | undefined {
  const ofMessage = messageUsageSchema.safeParse(usage);
  if (ofMessage.success) return usageOfMessage(ofMessage.data);
  if (isRecord(usage) && 'input_tokens' in usage) {
    const ofResponse = responseUsageSchema.safeParse(usage);
    if (ofResponse.success) return ofResponse.data;
  }
  const parsed = lineUsageSchema.safeParse(usage);
  if (!parsed.success) return undefined;
  const { prompt_tokens, completion_tokens = 0, total_tokens } = parsed.data;
  return {
    input_tokens: prompt_tokens,
    input_tokens_details: { cached_tokens: parsed.data.prompt_tokens_details?.cached_tokens ?? 0 },
    output_tokens: completion_tokens,
    output_tokens_details: { reasoning_tokens: parsed.data.completion_tokens_details?.reasoning_tokens ?? 0 },
    total_tokens,
  };
}
