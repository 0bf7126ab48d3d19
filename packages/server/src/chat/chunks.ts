import type { ChatCompletionDelta, ChoiceLogprobs, CompletionUsage, TokenLogprob } from '@modelwire/schema/types';
import type { Heading } from './heading.ts';
import { obfuscation, utf8Length } from './obfuscation.ts';

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
const step = 64;

export function chunks(head: Heading, fingerprint: string | undefined, options: ChunkOptions): Chunks {
  const opening =
    `{"id":"${head.id}","object":"chat.completion.chunk","created":${head.created},"model":${JSON.stringify(head.model)},` +
    `"service_tier":${JSON.stringify(head.service_tier)},` +
    (fingerprint === undefined ? '' : `"system_fingerprint":${JSON.stringify(fingerprint)},`) +
    '"choices":[';
  const closing = options.includeUsage ? '],"usage":null}' : ']}';
  const frameBytes = utf8Length(opening) + closing.length;
  const padding = options.obfuscate
    ? obfuscation(
        frameBytes + '{"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":null}'.length,
        options.topLogprobs === undefined ? step : step * (2 + 2 * options.topLogprobs),
      )
    : undefined;

  function chunk(choice: string): string {
    const json = opening + choice + closing;
    return padding ? padding.pad(json, frameBytes + utf8Length(choice)) : json;
  }
  function deltaChunk(choice: number, delta: string, logprobs: string): string {
    return chunk(`{"index":${choice},"delta":${delta},"logprobs":${logprobs},"finish_reason":null}`);
  }

  return {
    role: (choice, content) =>
      deltaChunk(choice, `{"role":"assistant","content":${content === null ? 'null' : '""'},"refusal":null}`, 'null'),
    text: (choice, text, logprobs) =>
      deltaChunk(
        choice,
        `{"content":${JSON.stringify(text)}}`,
        logprobs ? `{"content":${JSON.stringify(logprobs)},"refusal":null}` : 'null',
      ),
    delta: (choice, delta, logprobs) =>
      deltaChunk(choice, JSON.stringify(delta), logprobs ? JSON.stringify(logprobs) : 'null'),
    finish: (choice, reason) =>
      chunk(`{"index":${choice},"delta":{},"logprobs":null,"finish_reason":${JSON.stringify(reason)}}`),
    usage: (usage) => `${opening}],"usage":${JSON.stringify(usage)}}`,
  };
}
