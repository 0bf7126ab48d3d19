import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import { mediaOf } from '../media.ts';
import type { Media } from '../media.ts';
import { core, more } from './conversation.ts';
import type { Reply } from './conversation.ts';

/** What is said of images and audio in the last message: only what their heads say. A simulator sees and hears nothing. */
export function tellMedia(messages: readonly ChatCompletionMessageParam[]): Reply | undefined {
  const last = messages.findLast(({ role }) => role === 'user');
  const media = last ? mediaOf(last) : [];
  if (media.length === 0) return undefined;
  const told = media.map(described);
  const all = told.length === 1 ? told[0] : `${told.slice(0, -1).join(', ')} and ${told.at(-1) ?? ''}`;
  return {
    lines: [
      core(`You sent ${all ?? ''}.`, `What I got is ${all ?? ''}.`),
      core(
        ' I am a simulator, so I neither see nor hear what is in it.',
        ' As a simulator I can tell no more of it than its size.',
      ),
      more(
        ' A real model behind this server would look and listen.',
        ' Put a real engine behind this server for that.',
      ),
    ],
    word: media[0]?.kind === 'audio' ? 'Audio.' : 'Image.',
  };
}

function described(one: Media): string {
  if (one.kind === 'audio') {
    const { format, seconds } = one.facts;
    return `${seconds.toFixed(1)} seconds of ${format.toUpperCase()} audio`;
  }
  const { mediaType, width, height } = one.facts;
  return `a ${mediaType.slice('image/'.length).toUpperCase()} image of ${width} by ${height} pixels`;
}
