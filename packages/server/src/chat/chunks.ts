import type { ChatCompletionDelta, ChoiceLogprobs, CompletionUsage, TokenLogprob } from '@modelwire/schema/types';
import type { Heading } from './heading.ts';
import { padding, utf8Length } from './obfuscation.ts';

export interface ChunkOptions {
  /** Pads every delta event (interface: `stream_options.include_obfuscation`). */
  readonly obfuscate: boolean;
  /** Every chunk but the last carries `usage: null` (interface: `stream_options.include_usage`). */
  readonly includeUsage: boolean;
  /** How many log probabilities each token carries: events with them vary more in size, so the padding steps are wider. */
  readonly topLogprobs: number | undefined;
}

/** Writes the chunks of one completion as JSON (interface: Chat completion chunk object). Built by hand: this is the hot path. */
export interface Chunks {
  /** Opens a choice: `content` is an empty text, or null where a tool call comes first. */
  role(choice: number, content: '' | null): string;
  text(choice: number, text: string, logprobs: readonly TokenLogprob[] | undefined): string;
  delta(
    choice: number,
    delta: ChatCompletionDelta | Readonly<Record<string, unknown>>,
    logprobs?: ChoiceLogprobs,
  ): string;
  finish(choice: number, reason: string): string;
  usage(usage: CompletionUsage): string;
}

/** Bytes within which deltas are not told apart by their size. */
export function paddingStep(topLogprobs: number | undefined): number {
  return topLogprobs === undefined ? 64 : 128 + 128 * topLogprobs;
}

export function chunks(head: Heading, fingerprint: string | undefined, options: ChunkOptions): Chunks {
  const { obfuscate, includeUsage, topLogprobs } = options;
  const opening =
    `{"id":"${head.id}","object":"chat.completion.chunk","created":${head.created},"model":${JSON.stringify(head.model)},` +
    `"service_tier":${JSON.stringify(head.service_tier)},` +
    (fingerprint === undefined ? '' : `"system_fingerprint":${JSON.stringify(fingerprint)},`) +
    '"choices":[';
  const closing = includeUsage ? '],"usage":null' : ']';
  const ending = obfuscate ? `${closing},"obfuscation":"` : `${closing}}`;
  const step = paddingStep(topLogprobs);
  // Only the choice differs from chunk to chunk, so only it is measured.
  const emptyChoice = choiceStart(0).length + '{"content":""}'.length + choiceEnd.length;

  function chunk(choice: string, bytes: number): string {
    const json = opening + choice + ending;
    return obfuscate ? `${json}${padding(bytes, emptyChoice, step)}"}` : json;
  }
  function deltaChunk(choice: number, delta: string, logprobs: string): string {
    const json = `${choiceStart(choice)}${delta},"logprobs":${logprobs},"finish_reason":null}`;
    return chunk(json, utf8Length(json));
  }
  const starts: string[] = [];

  return {
    role: (choice, content) =>
      deltaChunk(choice, `{"role":"assistant","content":${content === null ? 'null' : '""'},"refusal":null}`, 'null'),
    text(choice, text, logprobs) {
      const content = JSON.stringify(text);
      if (logprobs) {
        return deltaChunk(choice, `{"content":${content}}`, `{"content":${JSON.stringify(logprobs)},"refusal":null}`);
      }
      const start = (starts[choice] ??= `${choiceStart(choice)}{"content":`);
      const bytes = start.length + utf8Length(content) + 1 + choiceEnd.length;
      return chunk(start + content + textEnd, bytes);
    },
    delta: (choice, delta, logprobs) =>
      deltaChunk(choice, JSON.stringify(delta), logprobs ? JSON.stringify(logprobs) : 'null'),
    finish(choice, reason) {
      const json = `${choiceStart(choice)}{},"logprobs":null,"finish_reason":${JSON.stringify(reason)}}`;
      return chunk(json, utf8Length(json));
    },
    usage: (usage) => `${opening}],"usage":${JSON.stringify(usage)}}`,
  };
}

const choiceStart = (choice: number): string => `{"index":${choice},"delta":`;
const choiceEnd = ',"logprobs":null,"finish_reason":null}';
const textEnd = `}${choiceEnd}`;
