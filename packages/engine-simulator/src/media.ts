import type { ChatCompletionMessageParam, ImageDetail } from '@modelwire/schema/types';
import { audioFacts, imageFacts } from '@modelwire/ports/media';
import { invalid } from '@modelwire/ports';
import type { AudioFacts, ImageFacts } from '@modelwire/ports/media';

/** An image or audio in a message: what its head says of it, and what it counts. */
export type Media =
  | { readonly kind: 'image'; readonly facts: ImageFacts; readonly tokens: number; readonly data: string }
  | { readonly kind: 'audio'; readonly facts: AudioFacts; readonly tokens: number; readonly data: string };

/** Tokens of an image whatever its size, and of each tile of it. */
const perImage = 85;
const perTile = 170;
const tile = 512;
/** Tokens of a second of audio. */
const perSecond = 10;

const none: readonly Media[] = [];
const known = new WeakMap<object, readonly Media[]>();

/** Whether a message holds more than text. */
export function hasMedia({ content }: ChatCompletionMessageParam): boolean {
  return (
    typeof content === 'object' &&
    content !== null &&
    content.some(({ type }) => type === 'image_url' || type === 'input_audio')
  );
}

/**
 * What a message holds beside its text, in its order.
 *
 * @throws a 400 for an image that is none. (Audio was looked at before.)
 */
export function mediaOf(message: ChatCompletionMessageParam): readonly Media[] {
  if (message.role !== 'user' || !hasMedia(message) || typeof message.content === 'string') return none;
  const before = known.get(message);
  if (before) return before;
  const media = message.content.flatMap((part): Media[] => {
    if (part.type === 'image_url') {
      const { url, detail } = part.image_url;
      const data = url.slice(url.indexOf(',') + 1);
      const facts = imageFacts(Buffer.from(data, 'base64'));
      if (!facts) {
        throw invalid(
          'messages',
          "Invalid image in 'messages': the bytes are not a PNG, JPEG, GIF or WebP image.",
          'invalid_image',
        );
      }
      return [{ kind: 'image', facts, tokens: imageTokens(facts, detail), data }];
    }
    if (part.type !== 'input_audio') return [];
    const { data } = part.input_audio;
    const facts = audioFacts(Buffer.from(data, 'base64'));
    return facts ? [{ kind: 'audio', facts, tokens: audioTokens(facts.seconds), data }] : [];
  });
  known.set(message, media);
  return media;
}

/**
 * As the hosted service counts them: `low` is 85 whatever the size. `high`, and `auto`, is 85 and 170 for each tile of 512 pixels of the
 * image scaled down to fit 2048 by 2048 and then to 768 on its shorter side; `original` the same without scaling.
 */
export function imageTokens(
  { width, height }: Pick<ImageFacts, 'width' | 'height'>,
  detail: ImageDetail = 'auto',
): number {
  if (detail === 'low') return perImage;
  const fits = detail === 'original' ? 1 : Math.min(1, 2048 / Math.max(width, height));
  const scale = detail === 'original' ? 1 : fits * Math.min(1, 768 / (Math.min(width, height) * fits));
  const tiles = (side: number): number => Math.ceil(Math.round(side * scale) / tile);
  return perImage + perTile * Math.max(1, tiles(width)) * Math.max(1, tiles(height));
}

/** One for each tenth of a second begun. */
export function audioTokens(seconds: number): number {
  return Math.ceil(seconds * perSecond - 1e-9);
}

/** Tokens of all audio in a conversation (interface: `prompt_tokens_details`). */
export function audioTokensIn(messages: readonly ChatCompletionMessageParam[]): number {
  let total = 0;
  for (const message of messages) {
    for (const { kind, tokens } of mediaOf(message)) if (kind === 'audio') total += tokens;
  }
  return total;
}
