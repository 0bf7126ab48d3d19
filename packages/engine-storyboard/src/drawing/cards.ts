import { splitIntoPages } from './caption.ts';
import type { Scene } from '../protocol.ts';

/** A text that is shown for a while. */
export interface Card {
  readonly text: string;
  /** Shown above the text in small letters. */
  readonly label: string | undefined;
  /** Seconds from the start of the scene. It ends where the next one starts. */
  readonly start: number;
  /** Whether this card shows the prompt of the video instead of that of its source. */
  readonly isOwn: boolean;
}

/** Seconds in which a page of text can be read. */
const pageSeconds = 2;
/** Part of a remix that shows its source's prompt. */
const sourcePart = 0.25;

/** The cards of a scene: the pages of the prompt. A remix shows the prompt of its source first. */
export function createCards({ prompts, seconds, isExtension }: Scene): readonly Card[] {
  const prompt = titleOf(prompts.at(-1) ?? '');
  const source = prompts.length > 1 && !isExtension ? titleOf(prompts.at(-2) ?? '') : undefined;
  const ownStart = source === undefined ? 0 : Math.min(pageSeconds, seconds * sourcePart);
  const cards: Card[] = [];
  if (source !== undefined) {
    const [text = ''] = splitIntoPages(source, 1);
    cards.push({ text, label: undefined, start: 0, isOwn: false });
  }
  const pages = splitIntoPages(prompt, Math.max(1, Math.floor((seconds - ownStart) / pageSeconds)));
  const each = (seconds - ownStart) / pages.length;
  const label = isExtension ? 'Extension' : source === undefined ? undefined : 'Remix';
  for (const [at, text] of pages.entries()) {
    cards.push({ text, label, start: ownStart + at * each, isOwn: true });
  }
  return cards;
}

const promptCharacters = 2000;

/** The prompt as one line, without control characters and bidirectional marks. */
function titleOf(prompt: string): string {
  return prompt
    .slice(0, promptCharacters)
    .toWellFormed()
    .replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
