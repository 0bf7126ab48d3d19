import type { SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { MetadataPart, ProviderMetadata } from './provider-metadata.ts';

/** Records the parts of a reply with their metadata, for `provider_metadata` of the message. */
export interface ReplyParts {
  reasoning(block: string, text: string, metadata: SharedV4ProviderMetadata | undefined): void;
  text(block: string, text: string, metadata: SharedV4ProviderMetadata | undefined): void;
  toolCall(id: string, metadata: SharedV4ProviderMetadata | undefined): void;
  /** Undefined if the provider sent no metadata. */
  providerMetadata(): ProviderMetadata | undefined;
}

interface GrowingPart {
  readonly type: MetadataPart['type'];
  readonly id: string;
  text: string;
  metadata: SharedV4ProviderMetadata | undefined;
}

export function recordReplyParts(provider: string): ReplyParts {
  const parts = new Map<string, GrowingPart>();

  function add(type: GrowingPart['type'], id: string, text: string, more: SharedV4ProviderMetadata | undefined): void {
    const key = `${type} ${id}`;
    const part = parts.get(key) ?? { type, id, text: '', metadata: undefined };
    parts.set(key, part);
    part.text += text;
    if (more) part.metadata = merged(part.metadata, more);
  }

  return {
    reasoning: (block, text, metadata) => add('reasoning', block, text, metadata),
    text: (block, text, metadata) => add('text', block, text, metadata),
    toolCall: (id, metadata) => add('tool_call', id, '', metadata),
    providerMetadata() {
      const all = [...parts.values()];
      if (!all.some(({ metadata }) => metadata)) return undefined;
      return { provider, parts: all.map(metadataPart) };
    },
  };
}

function metadataPart({ type, id, text, metadata }: GrowingPart): MetadataPart {
  const rest = metadata && { metadata };
  if (type === 'reasoning') return { type, text, ...rest };
  return type === 'text' ? { type, length: text.length, ...rest } : { type, id, ...rest };
}

/** Metadata arrives in parts, such as a signature after the reasoning: merges the fields of a provider. */
function merged(
  before: SharedV4ProviderMetadata | undefined,
  more: SharedV4ProviderMetadata,
): SharedV4ProviderMetadata {
  const all: SharedV4ProviderMetadata = { ...before };
  for (const [provider, fields] of Object.entries(more)) all[provider] = { ...all[provider], ...fields };
  return all;
}
