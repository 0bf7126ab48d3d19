import { DONE_EVENT } from '@modelwire/core';
import type { ServiceTier } from '@modelwire/schema/types';
import { toBase64 } from '../base64.ts';
import type { EventSink } from './event-pipe.ts';
import type { ChatEvent, ChatEvents } from '@modelwire/ports';
import { chunks } from './chunks.ts';
import type { Chunks, ChunkOptions } from './chunks.ts';
import { isEventBatch, tokensOf } from './events.ts';
import type { CompletionMetadata } from './completion-metadata.ts';
import type { UsageTracker } from './usage-tracker.ts';

export interface StreamOptions extends ChunkOptions {
  readonly choices: number;
  /** Called when all events have been received, before the stream ends. */
  readonly beforeEnd?: (() => Promise<void>) | undefined;
}

/**
 * Writes events of an engine as chunks (API: Events): first the role, then deltas, a finish for each choice, usage if requested and
 * reported, and `[DONE]`. Errors of the engine are thrown.
 */
export async function stream(
  events: ChatEvents,
  metadata: CompletionMetadata,
  options: StreamOptions,
  sink: EventSink,
  usageTracker: UsageTracker,
): Promise<void> {
  let write: Chunks | undefined;
  let tier: ServiceTier | undefined;
  let fingerprint: string | undefined;
  let unfinished = options.choices;
  const opened = new Set<number>();

  /** Created at the first event with content, so that the metadata of `meta` is in every chunk. */
  const writer = (): Chunks => {
    const withTier = isUsedTier(tier) ? { ...metadata, service_tier: tier } : metadata;
    return chunks(withTier, fingerprint, options, sink);
  };
  function add(event: ChatEvent): void {
    if (event.type === 'usage') usageTracker.report(event.usage);
    else if (event.type === 'meta') {
      tier = event.service_tier ?? tier;
      fingerprint = event.system_fingerprint ?? fingerprint;
    } else {
      write ??= writer();
      if (!opened.has(event.choice)) {
        opened.add(event.choice);
        write.role(event.choice, withoutContent.has(event.type) ? null : '');
      }
      writeChunk(event, write);
      usageTracker.count(tokensOf(event));
      if (event.type === 'finish') {
        unfinished--;
        usageTracker.finishReasons.push(event.reason);
      }
    }
  }
  for await (const some of isEventBatch(events) ? [events] : events) {
    if (isEventBatch(some)) for (const event of some) add(event);
    else add(some);
    if (sink.isFull()) await sink.drained();
    if (sink.isClosed()) return;
  }
  if (unfinished > 0) throw new Error('the engine ended without a finish event for each choice');
  await options.beforeEnd?.();
  write ??= writer();
  const usage = options.includeUsage ? usageTracker.forClient : undefined;
  if (usage) write.usage(usage);
  sink.write(DONE_EVENT);
}

function writeChunk(event: Exclude<ChatEvent, { readonly type: 'usage' | 'meta' }>, write: Chunks): void {
  const { choice } = event;
  switch (event.type) {
    case 'text': {
      write.text(choice, event.text, event.logprobs);
      return;
    }
    case 'refusal': {
      write.delta(choice, { refusal: event.text }, event.logprobs && { content: null, refusal: [...event.logprobs] });
      return;
    }
    case 'tool_call': {
      const { index, id, kind, name } = event;
      write.delta(choice, {
        tool_calls: [
          kind === 'function'
            ? { index, id, type: kind, function: { name, arguments: '' } }
            : { index, id, type: kind, custom: { name, input: '' } },
        ],
      });
      return;
    }
    case 'tool_input': {
      write.delta(choice, {
        tool_calls: [
          event.kind === 'custom'
            ? { index: event.index, custom: { input: event.text } }
            : { index: event.index, function: { arguments: event.text } },
        ],
      });
      return;
    }
    case 'function_call': {
      write.delta(choice, {
        function_call: {
          ...(event.name !== undefined && { name: event.name }),
          ...(event.text !== undefined && { arguments: event.text }),
        },
      });
      return;
    }
    case 'audio': {
      const { id, expires_at, data, transcript, logprobs } = event;
      const audio = {
        ...(id !== undefined && { id }),
        ...(transcript !== undefined && { transcript }),
        ...(data && { data: toBase64(data) }),
        ...(expires_at !== undefined && { expires_at }),
      };
      write.delta(choice, { audio }, logprobs && { content: [...logprobs], refusal: null });
      return;
    }
    case 'annotations': {
      write.delta(choice, { annotations: event.annotations });
      return;
    }
    case 'extra': {
      write.delta(choice, event.delta);
      return;
    }
    case 'finish': {
      write.finish(choice, event.reason);
      return;
    }
  }
}

function isUsedTier(tier: ServiceTier | undefined): tier is Exclude<ServiceTier, 'auto'> {
  return tier !== undefined && tier !== 'auto';
}

/** Events that begin a message which may have no text. */
const withoutContent: ReadonlySet<ChatEvent['type']> = new Set(['tool_call', 'function_call', 'audio']);
