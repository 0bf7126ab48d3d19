import { encodeData } from '@modelwire/core';
import type { CompletionUsage } from '@modelwire/schema/types';
import type { EventSink } from './event-pipe.ts';
import type { ResolvedServiceTier } from '../limits/tiered-queue.ts';

export interface ChunkOptions {
  /** Pads every delta event (API: `stream_options.include_obfuscation`). */
  readonly obfuscate: boolean;
  /** Every chunk except the last has `usage: null` (API: `stream_options.include_usage`). */
  readonly includeUsage: boolean;
  /** Number of log probabilities per token: events with them vary more in size, so the padding steps are wider. */
  readonly topLogprobs: number | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Writes one chunk (API: Chat completion chunk object) as an event. Other fields are kept; those of the server replace their values. */
export function writeChunk(
  { write }: Pick<EventSink, 'write'>,
  fields: Fields,
  metadata: CompletionMetadata,
  choices: readonly unknown[],
  { obfuscate, includeUsage, topLogprobs }: ChunkOptions,
): void {
  const envelope = JSON.stringify(withMetadata(fields, metadata)).slice(0, -1);
  const choicesJson = JSON.stringify(choices);
  const usage = includeUsage ? ',"usage":null' : '';
  // Only the choices differ between the chunks of a stream, so only their length is measured.
  const noise = obfuscate ? padding(Buffer.byteLength(choicesJson), emptyChoices, paddingStep(topLogprobs)) : '';
  write('data: ', envelope, ',"choices":', choicesJson, usage, obfuscate ? `,"obfuscation":"${noise}"` : '', '}\n\n');
}

/** Writes the chunk with the usage of the whole completion, without choices. */
export function writeUsage(
  { write }: Pick<EventSink, 'write'>,
  fields: Fields,
  metadata: CompletionMetadata,
  usage: CompletionUsage,
): void {
  write(encodeData(JSON.stringify({ ...withMetadata(fields, metadata), choices: [], usage })));
}

const withMetadata = (fields: Fields, { id, created, model, service_tier }: CompletionMetadata): Fields => ({
  ...fields,
  id,
  object: 'chat.completion.chunk',
  created,
  model,
  service_tier: fields['service_tier'] ?? service_tier,
});

/** Length of a choice without text. Padding depends on what exceeds it. */
const emptyChoices = '[{"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":null}]'.length;

/** Step of padded sizes: deltas within it have the same size. */
function paddingStep(topLogprobs: number | undefined): number {
  return topLogprobs === undefined ? 64 : 128 + 128 * topLogprobs;
}

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

/** Fields that all chunks of a completion and the completion itself share. */
export interface CompletionMetadata {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  readonly model: string;
  readonly service_tier: ResolvedServiceTier;
}
