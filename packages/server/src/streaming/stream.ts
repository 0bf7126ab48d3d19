import type { ChatCompletionDelta, ChoiceLogprobs } from '@modelwire/schema/types';
import type { Accountant } from '../admission/accountant.ts';
import { toBase64 } from '../json/base64.ts';
import { writeChunk, writeUsage } from './chunk-writer.ts';
import type { ChunkOptions, CompletionMetadata } from './chunk-writer.ts';
import type { ChunkSink } from './event-pipe.ts';
import type { ReplyEvent } from './events.ts';
import type { ModerationReport } from './transforms/moderation-report.ts';

export interface StreamOptions extends ChunkOptions {
  /** The results of the moderation that the request asked for. */
  readonly moderation?: ModerationReport | undefined;
  /** Called when all events have been received, before the stream ends. */
  readonly beforeEnd?: (() => Promise<void>) | undefined;
  /** Whether the stream has begun already, with its first choice. */
  readonly isContinued?: boolean;
}

/**
 * Writes events of a reply as chunks (API: Events): first the role, then deltas, a finish for each choice, and usage if requested.
 * Errors of the engine are thrown.
 */
export async function stream(
  events: AsyncIterable<readonly ReplyEvent[]>,
  metadata: CompletionMetadata,
  options: StreamOptions,
  sink: ChunkSink,
  accountant: Accountant,
): Promise<void> {
  const opened = new Set<number>(options.isContinued ? [0] : []);
  const fields = () => ({
    ...(accountant.fingerprint !== undefined && { system_fingerprint: accountant.fingerprint }),
    ...(accountant.tier !== undefined && { service_tier: accountant.tier }),
  });
  const write = (index: number, { delta, logprobs, finishReason }: Piece): void => {
    const choice = { index, delta, logprobs: logprobs ?? null, finish_reason: finishReason ?? null };
    writeChunk(sink, fields(), metadata, [choice], options);
  };

  // Events that are available together are one batch.
  for await (const batch of events) {
    for (const event of batch) {
      const piece = pieceOf(event);
      if (!piece) continue;
      const { choice } = event;
      if (!opened.has(choice)) {
        opened.add(choice);
        write(choice, { delta: { role: 'assistant', content: piece.hasNoText ? null : '', refusal: null } });
      }
      write(choice, piece);
    }
    if (sink.isFull) await sink.drained();
    if (sink.isClosed) return;
  }
  await options.beforeEnd?.();
  if (options.moderation) {
    writeChunk(sink, { ...fields(), moderation: options.moderation.results }, metadata, [], options);
  }
  if (options.includeUsage) writeUsage(sink, fields(), metadata, accountant.current);
}

/** What a chunk says about a choice. */
interface Piece {
  readonly delta: ChatCompletionDelta | Readonly<Record<string, unknown>>;
  readonly logprobs?: ChoiceLogprobs | undefined;
  readonly finishReason?: string;
  /** Whether the message may have no text. */
  readonly hasNoText?: boolean;
}

/** Undefined for an event that is not part of a chat. */
function pieceOf(event: ReplyEvent): Piece | undefined {
  switch (event.type) {
    case 'text':
      return {
        delta: { content: event.text },
        logprobs: event.logprobs && { content: [...event.logprobs], refusal: null },
      };
    case 'refusal':
      return {
        delta: { refusal: event.text },
        logprobs: event.logprobs && { content: null, refusal: [...event.logprobs] },
      };
    case 'tool_call': {
      const { index, id, kind, name } = event;
      const call =
        kind === 'function'
          ? { index, id, type: kind, function: { name, arguments: '' } }
          : { index, id, type: kind, custom: { name, input: '' } };
      return { delta: { tool_calls: [call] }, hasNoText: true };
    }
    case 'tool_input': {
      const { index, kind, text } = event;
      const call = kind === 'custom' ? { index, custom: { input: text } } : { index, function: { arguments: text } };
      return { delta: { tool_calls: [call] } };
    }
    case 'function_call': {
      const { name, text } = event;
      const call = { ...(name !== undefined && { name }), ...(text !== undefined && { arguments: text }) };
      return { delta: { function_call: call }, hasNoText: true };
    }
    case 'audio': {
      const { id, expires_at, data, transcript, logprobs } = event;
      const audio = {
        ...(id !== undefined && { id }),
        ...(transcript !== undefined && { transcript }),
        ...(data && { data: toBase64(data) }),
        ...(expires_at !== undefined && { expires_at }),
      };
      return { delta: { audio }, hasNoText: true, logprobs: logprobs && { content: [...logprobs], refusal: null } };
    }
    case 'annotations':
      return { delta: { annotations: event.annotations } };
    case 'extra':
      return { delta: event.delta };
    case 'echo':
      // Part of text completions only.
      return undefined;
    case 'finish':
      return { delta: {}, finishReason: event.reason };
  }
}
