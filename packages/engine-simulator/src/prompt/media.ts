import { hash } from 'node:crypto';
import type { ChatCompletionContentPart, ChatCompletionMessageParam, ImageDetail } from '@modelwire/schema/types';
import { invalid } from '@modelwire/ports';
import { readAudioMetadata, readImageMetadata } from '@modelwire/adapter-kit/media';
import type { ImageMetadata } from '@modelwire/adapter-kit/media';

/** An image or audio in a message. */
export interface Media {
  readonly kind: 'image' | 'audio';
  /** Description of the properties in its header. */
  readonly description: string;
  readonly tokens: number;
  /** SHA-256 of its data. */
  readonly digest: string;
}

const known = new WeakMap<object, readonly Media[]>();
const none: readonly Media[] = [];

/**
 * The images and audio of a message, in order.
 *
 * @throws a 400 for data that is not an image. (The server has checked audio.)
 */
export function mediaOf(message: ChatCompletionMessageParam): readonly Media[] {
  if (message.role !== 'user' || typeof message.content === 'string') return none;
  let media = known.get(message);
  if (!media) known.set(message, (media = message.content.flatMap(mediaOfPart)));
  return media;
}

function mediaOfPart(part: ChatCompletionContentPart): Media[] {
  if (part.type === 'image_url') return [imageOf(part.image_url)];
  if (part.type !== 'input_audio') return [];
  const { data } = part.input_audio;
  const facts = readAudioMetadata(Buffer.from(data, 'base64'));
  if (!facts) return [];
  const description = `${facts.seconds.toFixed(1)} seconds of ${facts.format.toUpperCase()} audio`;
  return [{ kind: 'audio', description, tokens: audioTokens(facts.seconds), digest: hash('sha256', data) }];
}

function imageOf({ url, detail }: { readonly url: string; readonly detail?: ImageDetail | undefined }): Media {
  const data = url.slice(url.indexOf(',') + 1);
  const facts = readImageMetadata(Buffer.from(data, 'base64'));
  if (!facts) {
    const message = "Invalid image in 'messages': the bytes are not a PNG, JPEG, GIF or WebP image.";
    throw invalid('messages', message, 'invalid_image');
  }
  const format = facts.mediaType.slice('image/'.length).toUpperCase();
  const description = `a ${format} image of ${facts.width} by ${facts.height} pixels`;
  return { kind: 'image', description, tokens: imageTokens(facts, detail), digest: hash('sha256', data) };
}

/**
 * As the hosted service counts them: 85 for `low`. For `high` and `auto` 85, and 170 for each tile of 512 pixels of the image
 * scaled down to fit 2048 by 2048 and then to 768 on its shorter side; for `original` the same without scaling.
 */
export function imageTokens(
  { width, height }: Pick<ImageMetadata, 'width' | 'height'>,
  detail: ImageDetail = 'auto',
): number {
  if (detail === 'low') return 85;
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const scale = detail === 'original' ? 1 : fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  const tiles = (side: number): number => Math.max(1, Math.ceil(Math.round(side * scale) / 512));
  return 85 + 170 * tiles(width) * tiles(height);
}

/** Ten a second, rounded up. */
export function audioTokens(seconds: number): number {
  return Math.ceil(seconds * 10 - 1e-9);
}

/** Tokens of all images or of all audio in a conversation (API: `prompt_tokens_details`). */
export function mediaTokensIn(messages: readonly ChatCompletionMessageParam[], kind: Media['kind']): number {
  const media = messages.flatMap(mediaOf).filter((one) => one.kind === kind);
  return media.reduce((total, { tokens }) => total + tokens, 0);
}
