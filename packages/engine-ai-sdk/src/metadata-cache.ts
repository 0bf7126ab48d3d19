import { createBoundedMap } from '@modelwire/adapter-kit';
import type { ProviderMetadata } from './provider-metadata.ts';

/**
 * Provider metadata of recent replies with tool calls, for clients that drop unknown members of messages: frameworks, and the Responses API.
 * In memory, so it does not outlast the process.
 */
export interface MetadataCache {
  add(project: string, metadata: ProviderMetadata): void;
  /** The metadata of the reply with this tool call; undefined when it is unknown or of another project. */
  find(project: string, toolCallId: string): ProviderMetadata | undefined;
}

/** `maxSize`: of all metadata as JSON, in UTF-16 code units. The least recently added is evicted first. */
export function createMetadataCache(maxSize: number): MetadataCache {
  const entries = createBoundedMap<string, ProviderMetadata>(maxSize);
  return {
    add(project, metadata) {
      const size = JSON.stringify(metadata).length;
      for (const part of metadata.parts) {
        if (part.type === 'tool_call') entries.set(keyOf(project, part.id), metadata, size);
      }
    },
    find: (project, toolCallId) => entries.get(keyOf(project, toolCallId)),
  };
}

function keyOf(project: string, toolCallId: string): string {
  return JSON.stringify([project, toolCallId]);
}
