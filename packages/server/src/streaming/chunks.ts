import type { ChatCompletionDelta, ChoiceLogprobs, CompletionUsage, TokenLogprob } from '@modelwire/schema/types';
import type { EventSink } from './event-pipe.ts';
import type { CompletionMetadata } from './completion-metadata.ts';
import { padding, utf8Length } from './obfuscation.ts';

export interface ChunkOptions {
  /** Pads every delta event (API: `stream_options.include_obfuscation`). */
  readonly obfuscate: boolean;
  /** Every chunk except the last has `usage: null` (API: `stream_options.include_usage`). */
  readonly includeUsage: boolean;
  /** Number of log probabilities per token: events with them vary more in size, so the padding steps are wider. */
  readonly topLogprobs: number | undefined;
}

/** Writes the chunks of one completion as events (API: Chat completion chunk object). Built by hand: this is the hot path. */
export interface Chunks {
  /** Opens a choice: `content` is an empty text, or null where a tool call comes first. */
  role(choice: number, content: '' | null): void;
  text(choice: number, text: string, logprobs: readonly TokenLogprob[] | undefined): void;
  delta(
    choice: number,
    delta: ChatCompletionDelta | Readonly<Record<string, unknown>>,
    logprobs?: ChoiceLogprobs,
  ): void;
  finish(choice: number, reason: string): void;
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
  function deltaChunk(choice: number, delta: string, logprobs: string): void {
    chunk(`${choiceStart(choice)}${delta},"logprobs":${logprobs},"finish_reason":null}`);
  }

  return {
    role(choice, content) {
      deltaChunk(choice, `{"role":"assistant","content":${content === null ? 'null' : '""'},"refusal":null}`, 'null');
    },
    text(choice, text, logprobs) {
      const content = JSON.stringify(text);
      if (logprobs) {
        deltaChunk(choice, `{"content":${content}}`, `{"content":${JSON.stringify(logprobs)},"refusal":null}`);
        return;
      }
      const start = (textOpenings[choice] ??= `${opening}${choiceStart(choice)}{"content":`);
      if (!obfuscate) {
        write(start, content, textEnding);
        return;
      }
      const bytes = start.length - opening.length + utf8Length(content) + textEnd.length;
      write(start, content, textEnding, padding(bytes, emptyChoice, step), '"}\n\n');
    },
    delta(choice, delta, logprobs) {
      deltaChunk(choice, JSON.stringify(delta), logprobs ? JSON.stringify(logprobs) : 'null');
    },
    finish(choice, reason) {
      chunk(`${choiceStart(choice)}{},"logprobs":null,"finish_reason":${JSON.stringify(reason)}}`);
    },
    usage(usage) {
      write(`${opening}],"usage":${JSON.stringify(usage)}}\n\n`);
    },
  };
}

const choiceStart = (choice: number): string => `{"index":${choice},"delta":`;
const textEnd = '},"logprobs":null,"finish_reason":null}';
/** Length of an empty choice. Padding depends on what exceeds it. */
const emptyChoice = choiceStart(0).length + '{"content":""'.length + textEnd.length;
