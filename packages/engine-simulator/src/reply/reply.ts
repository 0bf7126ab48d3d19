import type { Conversation } from '../prompt/conversation.ts';

/** A reply for the prompts that it matches. */
export type ReplyTemplate = (conversation: Conversation) => Reply | undefined;

/** The lines of a reply, and the reply in one word: by default that it is simulated. */
export interface Reply {
  readonly lines: readonly Line[];
  readonly word?: string;
}

export interface Line {
  /** The wordings to choose from, the likeliest first. They begin with different tokens. */
  readonly wordings: readonly string[];
  /** The verbosity from which on the line is said: 0 is low. */
  readonly detail: 0 | 1 | 2;
}

const line =
  (detail: Line['detail']) =>
  (...wordings: readonly string[]): Line => ({ wordings, detail });
/** A line for every verbosity, for medium and high, and for high alone. */
export const [always, medium, high] = [line(0), line(1), line(2)];

/** A text on one line, shortened at a word, without a final full stop. */
export function quote(text: string, maxLength = 60): string {
  const flat = text
    .slice(0, maxLength * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const cut = flat.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '');
  const short = flat.length > maxLength ? `${cut.replace(/\s+\S*$/, '')}…` : flat;
  return short.replace(/[.\s]+$/, '');
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
