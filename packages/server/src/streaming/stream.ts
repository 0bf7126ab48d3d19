import { DONE_EVENT } from '@modelwire/core';
import type {
  ServiceTier,
  ChatCompletionDelta,
  ChoiceLogprobs,
  CompletionUsage,
  TokenLogprob,
} from '@modelwire/schema/types';
import { toBase64 } from '../base64.ts';
import type { EventSink } from './event-pipe.ts';
import type { ChatEvent, ChatEvents } from '@modelwire/ports';
import { tokensOf } from './events.ts';
import type { UsageTracker } from '../admission/usage-tracker.ts';
import type { CompletionMetadata } from './completion-metadata.ts';

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
      writeChunk(event, write);
      usageTracker.count(tokensOf(event));
      if (event.type === 'finish') {
        unfinished--;
        usageTracker.addFinishReason(event.reason);
      }
    }
  }
  // Events that are available together are one batch.
  for await (const some of Symbol.asyncIterator in events ? events : [events]) {
    if ('type' in some) add(some);
    else for (const event of some) add(event);
    if (sink.isFull) await sink.drained();
    if (sink.isClosed) return;
  }
  if (unfinished > 0) throw new Error('the engine ended without a finish event for each choice');
  await options.beforeEnd?.();
  write ??= writer();
  if (options.includeUsage) write.usage(usageTracker.current);
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
      write.delta(
        choice,
        { refusal: event.text },
        { logprobs: event.logprobs && { content: null, refusal: [...event.logprobs] } },
      );
      return;
    }
    case 'tool_call': {
      const { index, id, kind, name } = event;
      const call =
        kind === 'function'
          ? { index, id, type: kind, function: { name, arguments: '' } }
          : { index, id, type: kind, custom: { name, input: '' } };
      write.delta(choice, { tool_calls: [call] }, { firstContent: null });
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
      const call = {
        ...(event.name !== undefined && { name: event.name }),
        ...(event.text !== undefined && { arguments: event.text }),
      };
      write.delta(choice, { function_call: call }, { firstContent: null });
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
      write.delta(
        choice,
        { audio },
        { firstContent: null, logprobs: logprobs && { content: [...logprobs], refusal: null } },
      );
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
    case 'echo':
      // Part of legacy completions only.
      return;
    case 'finish': {
      write.delta(choice, {}, { finishReason: event.reason });
      return;
    }
  }
}

function isUsedTier(tier: ServiceTier | undefined): tier is Exclude<ServiceTier, 'auto'> {
  return tier !== undefined && tier !== 'auto';
}

export interface ChunkOptions {
  /** Pads every delta event (API: `stream_options.include_obfuscation`). */
  readonly obfuscate: boolean;
  /** Every chunk except the last has `usage: null` (API: `stream_options.include_usage`). */
  readonly includeUsage: boolean;
  /** Number of log probabilities per token: events with them vary more in size, so the padding steps are wider. */
  readonly topLogprobs: number | undefined;
}

/** Writes the chunks of one completion as events (API: Chat completion chunk object). The first of a choice has its role. */
export interface Chunks {
  text(choice: number, text: string, logprobs: readonly TokenLogprob[] | undefined): void;
  delta(
    choice: number,
    delta: ChatCompletionDelta | Readonly<Record<string, unknown>>,
    init?: {
      readonly logprobs?: ChoiceLogprobs | undefined;
      /** Content of the first chunk: null where the message may have no text. Default an empty text. */
      readonly firstContent?: null;
      readonly finishReason?: string;
    },
  ): void;
  usage(usage: CompletionUsage): void;
}

/** Step of padded sizes: deltas within it have the same size. */
export function paddingStep(topLogprobs: number | undefined): number {
  return topLogprobs === undefined ? 64 : 128 + 128 * topLogprobs;
}

export function chunks(
  metadata: CompletionMetadata,
  fingerprint: string | undefined,
  { obfuscate, includeUsage, topLogprobs }: ChunkOptions,
  { write }: Pick<EventSink, 'write'>,
): Chunks {
  const opening =
    `data: {"id":"${metadata.id}","object":"chat.completion.chunk","created":${metadata.created},"model":${JSON.stringify(metadata.model)},` +
    `"service_tier":${JSON.stringify(metadata.service_tier)},` +
    (fingerprint === undefined ? '' : `"system_fingerprint":${JSON.stringify(fingerprint)},`) +
    '"choices":[';
  const closing = includeUsage ? '],"usage":null' : ']';
  const ending = obfuscate ? `${closing},"obfuscation":"` : `${closing}}\n\n`;
  const step = paddingStep(topLogprobs);
  const textEnding = textEnd + ending;
  const textOpenings: string[] = [];

  /** Only the choice differs between chunks, so only its length is measured. */
  function chunk(choice: string): void {
    if (obfuscate) write(opening, choice, ending, padding(utf8Length(choice), emptyChoice, step), '"}\n\n');
    else write(opening, choice, ending);
  }
  const openedChoices = new Set<number>();
  const delta: Chunks['delta'] = (choice, fields, { logprobs, firstContent = '', finishReason } = {}) => {
    if (!openedChoices.has(choice)) {
      openedChoices.add(choice);
      delta(choice, { role: 'assistant', content: firstContent, refusal: null });
    }
    const reason = finishReason === undefined ? 'null' : JSON.stringify(finishReason);
    const probabilities = logprobs ? JSON.stringify(logprobs) : 'null';
    chunk(`${choiceStart(choice)}${JSON.stringify(fields)},"logprobs":${probabilities},"finish_reason":${reason}}`);
  };

  return {
    text(choice, text, logprobs) {
      if (logprobs || !openedChoices.has(choice)) {
        delta(choice, { content: text }, logprobs && { logprobs: { content: [...logprobs], refusal: null } });
        return;
      }
      // Built by hand: this is the hot path.
      const content = JSON.stringify(text);
      const start = (textOpenings[choice] ??= `${opening}${choiceStart(choice)}{"content":`);
      if (!obfuscate) {
        write(start, content, textEnding);
        return;
      }
      const bytes = start.length - opening.length + utf8Length(content) + textEnd.length;
      write(start, content, textEnding, padding(bytes, emptyChoice, step), '"}\n\n');
    },
    delta,
    usage(usage) {
      write(`${opening}],"usage":${JSON.stringify(usage)}}\n\n`);
    },
  };
}

const choiceStart = (choice: number): string => `{"index":${choice},"delta":`;
const textEnd = '},"logprobs":null,"finish_reason":null}';
/** Length of an empty choice. Padding depends on what exceeds it. */
const emptyChoice = choiceStart(0).length + '{"content":""'.length + textEnd.length;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** Random text from which paddings are cut. It hides lengths and is not secret, so it can be reused. */
const noise = Array.from(crypto.getRandomValues(new Uint8Array(8192)), (byte) => letters.charAt(byte % 62)).join('');

/**
 * The padding that makes events equally long (API: `stream_options.include_obfuscation`). Payloads up to `step` bytes above `base`
 * get the same size, longer ones a multiple of `step`, so that a size reveals no more than that.
 *
 * @param bytes Length of the payload in UTF-8 bytes, without its `obfuscation` field.
 */
export function padding(bytes: number, base: number, step: number): string {
  // At least one step, so that an empty delta is as long as a short one.
  return randomText(base + Math.max(1, Math.ceil((bytes - base) / step)) * step - bytes);
}

function randomText(length: number): string {
  const start = Math.floor(Math.random() * (noise.length - 256));
  return length <= 256
    ? noise.slice(start, start + length)
    : noise.slice(start, start + 256) + randomText(length - 256);
}

/** Length in UTF-8 bytes, without encoding. A lone surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800) bytes += 1;
    else if (code >= 0xd800 && code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}
