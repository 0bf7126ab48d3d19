import { isRecord } from '@modelwire/adapter-kit';
import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';

/**
 * The member `provider_metadata` of an assistant message: what the provider requires in the next request, such as signatures of reasoning. It
 * has the parts of the reply in their order, without the text and tool calls, which are in the message.
 */
export interface ProviderMetadata {
  /** Name of the provider: another one ignores it. */
  readonly provider: string;
  readonly parts: readonly MetadataPart[];
}

export type MetadataPart =
  | { readonly type: 'reasoning'; readonly text: string; readonly metadata?: SharedV4ProviderMetadata }
  /** `length` UTF-16 code units of the message's text. */
  | { readonly type: 'text'; readonly length: number; readonly metadata?: SharedV4ProviderMetadata }
  | { readonly type: 'tool_call'; readonly id: string; readonly metadata?: SharedV4ProviderMetadata };

/** Reads the member as a client sent it back; undefined when it is absent, malformed, or of another provider. */
export function readProviderMetadata(value: unknown, provider: string): readonly MetadataPart[] | undefined {
  if (!isRecord(value) || value['provider'] !== provider || !Array.isArray(value['parts'])) return undefined;
  const parts: MetadataPart[] = [];
  for (const part of value['parts'] as readonly unknown[]) {
    const read = readPart(part);
    if (!read) return undefined;
    parts.push(read);
  }
  return parts;
}

function readPart(part: unknown): MetadataPart | undefined {
  if (!isRecord(part)) return undefined;
  const { type, text, length, id, metadata } = part;
  if (metadata !== undefined && !isProviderMetadata(metadata)) return undefined;
  const rest = metadata && { metadata };
  if (type === 'reasoning' && typeof text === 'string') return { type, text, ...rest };
  if (type === 'text' && typeof length === 'number' && Number.isSafeInteger(length) && length >= 0) {
    return { type, length, ...rest };
  }
  if (type === 'tool_call' && typeof id === 'string') return { type, id, ...rest };
  return undefined;
}

/** An object of objects, parsed from JSON. */
function isProviderMetadata(value: unknown): value is SharedV4ProviderMetadata {
  return isRecord(value) && Object.values(value).every(isRecord);
}
