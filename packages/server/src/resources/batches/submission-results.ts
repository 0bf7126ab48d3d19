import { isRecord } from '@modelwire/adapter-kit';
import { stringifyJson } from '@modelwire/adapter-kit/internal';
import type { BatchedReply } from '@modelwire/ports';
import { parseExactJsonInSlices } from '../../json/exact-json.ts';
import { splitLines } from '../../media/files/lines.ts';

/** What an upstream says about a line. */
export interface LineReply {
  /** Index of the line in the input file of the batch here. */
  readonly line: number;
  /** Undefined if the upstream did not run the line. */
  readonly reply: BatchedReply | undefined;
}

/** Largest line of a file with results. Longer ones are lost. */
const maxLineBytes = 64 * 1024 * 1024;
/** Codes of lines that the upstream did not run. */
const notRunCodes: ReadonlySet<unknown> = new Set(['batch_expired', 'batch_cancelled']);

/** The ID of a line at the upstream: those of clients may be of any form, and are not sent. */
export const customIdOf = (line: number): string => `line-${line}`;

/**
 * The replies in a file with results, a few at a time: up to `maxLength` UTF-16 code units, or one. What is no result of a
 * line is left out, and reported to `onSkipped`.
 */
export async function* readReplies(
  bytes: AsyncIterable<Uint8Array>,
  { maxLength, onSkipped }: { readonly maxLength: number; readonly onSkipped: () => void },
): AsyncGenerator<readonly LineReply[]> {
  let replies: LineReply[] = [];
  let length = 0;
  for await (const { text } of splitLines(bytes, maxLineBytes)) {
    const reply = text === undefined ? undefined : await readReply(text);
    if (!reply) {
      onSkipped();
      continue;
    }
    const added = reply.reply?.body.length ?? 0;
    if (replies.length > 0 && length + added > maxLength) {
      yield replies;
      replies = [];
      length = 0;
    }
    replies.push(reply);
    length += added;
  }
  if (replies.length > 0) yield replies;
}

async function readReply(text: string): Promise<LineReply | undefined> {
  const value = await parseOrUndefined(text);
  if (!isRecord(value)) return undefined;
  const { custom_id, response, error } = value;
  const line = typeof custom_id === 'string' ? /^line-(\d{1,9})$/.exec(custom_id)?.[1] : undefined;
  if (line === undefined) return undefined;
  return { line: Number(line), reply: await replyOf(response, error) };
}

async function replyOf(response: unknown, error: unknown): Promise<BatchedReply | undefined> {
  if (isRecord(error) && notRunCodes.has(error['code'])) return undefined;
  const { status_code: status, body } = isRecord(response) ? response : {};
  if (typeof status === 'number' && Number.isInteger(status) && status >= 200 && status <= 599 && isRecord(body))
    return { status, body: await stringifyJson(body) };
  // An error without a response, or a response that is none.
  const reason = isRecord(error) ? error : { message: 'The upstream returned no response to this line.' };
  return { status: 502, body: await stringifyJson({ error: reason }) };
}

async function parseOrUndefined(text: string): Promise<unknown> {
  try {
    return await parseExactJsonInSlices(text);
  } catch {
    return undefined;
  }
}
