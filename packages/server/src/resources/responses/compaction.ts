import type { ResponseOutputItem } from '@modelwire/schema/types';
import { fromBase64, toBase64 } from '../../json/base64.ts';
import type { CreateId } from '../../ids.ts';
import { RequestError } from '../../errors.ts';

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
