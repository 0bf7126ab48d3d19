import type {
  ResponseOutputItem,
  ResponseCreateParams,
  ResponseInputItem,
  ResponseItem,
} from '@modelwire/schema/types';
import { fromBase64, toBase64 } from '../../json/base64.ts';
import type { CreateId } from '../../ids.ts';
import { RequestError, invalid } from '../../errors.ts';
import { toStoredItems } from '../../items/stored-items.ts';

type ResponseCompaction = Extract<ResponseOutputItem, { readonly type: 'compaction' }>;

/** Prefix that distinguishes content of this server from that of hosted services, which only they can read. */
const prefix = 'modelwire-summary.';

/** The item that replaces a conversation. @throws if the summary is empty. */
export function compactionItem(summary: string, createId: CreateId): ResponseCompaction {
  if (summary.trim() === '') {
    throw new RequestError('The model did not write a summary.', { status: 502, code: 'invalid_output' });
  }
  return { type: 'compaction', id: createId('cmp_'), encrypted_content: encodeCompaction(summary) };
}

/** The content of a `compaction` item: the summary in base64, not encrypted. */
function encodeCompaction(summary: string): string {
  return prefix + toBase64(new TextEncoder().encode(summary));
}

/** The summary; undefined when the content was not made by `encodeCompaction`. */
export function decodeCompaction(content: string): string | undefined {
  if (!content.startsWith(prefix)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(fromBase64(content.slice(prefix.length)));
  } catch {
    return undefined;
  }
}

const summaryPrompt =
  'Summarize this conversation so that another assistant can continue it without having seen it. Keep facts, decisions, results of tools, ' +
  'names, numbers and open questions. Reply with the summary only.';

/** The item that asks the model for the summary of a conversation. It follows the items to be compacted. */
export function summaryRequest(createId: CreateId): readonly ResponseItem[] {
  return toStoredItems([{ role: 'user', content: summaryPrompt }], createId);
}

/** Whether an item is part of the conversation that is summarized. */
export function isCompacted({ type }: ResponseInputItem): boolean {
  return type !== 'additional_tools' && type !== 'compaction_trigger';
}

/**
 * Whether the last item asks for a compaction of everything before it.
 *
 * @throws a 400 for such an item in another place.
 */
export function endsWithCompactionTrigger(input: readonly ResponseInputItem[]): boolean {
  const index = input.findIndex(({ type }) => type === 'compaction_trigger');
  if (index !== -1 && index !== input.length - 1) {
    throw invalid(`input[${index}]`, `Invalid 'input[${index}]': a 'compaction_trigger' must be the last item.`);
  }
  return index !== -1;
}

/** The request without what a summary does not have: calls of tools, a format, and data beside its text. */
export function withoutTools<Body extends Partial<ResponseCreateParams>>({
  tools,
  tool_choice,
  parallel_tool_calls,
  max_tool_calls,
  include,
  text,
  ...body
}: Body): Omit<Body, 'tools' | 'tool_choice' | 'parallel_tool_calls' | 'max_tool_calls' | 'include' | 'text'> &
  Pick<ResponseCreateParams, 'text'> {
  return { ...body, ...(text?.verbosity && { text: { verbosity: text.verbosity } }) };
}
