import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import { messageText } from '../prompt-tokens.ts';
import type { Line, Segment } from '../script.ts';

export type { Line };

/** One thing said. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** What a reply is planned from. */
export interface Ask {
  /** The last user message, trimmed; empty if there is none. */
  readonly text: string;
  /** Its beginning without what surrounds a question: what patterns are matched against, never long. */
  readonly head: string;
  /** What was said before it, oldest first. */
  readonly earlier: readonly Turn[];
  /** System and developer messages, oldest first. */
  readonly instructions: readonly string[];
}

/** A planned reply. */
export interface Reply {
  readonly lines: readonly Line[];
  /** The reply in one word, where there is one. */
  readonly word?: string;
}

/** Makes a reply for what it understands. */
export type Replier = (ask: Ask) => Reply | undefined;

/** Patterns see no more than this of a prompt, so that none can be slow on a long one. */
export const readLength = 1500;
/** What is repeated or summarised is cut here: no reply is longer (4096 tokens, mostly shorter than 8 characters). */
export const quoteLength = 32_768;

export function readConversation(messages: readonly ChatCompletionMessageParam[]): Ask {
  const turns: Turn[] = [];
  const instructions: string[] = [];
  for (const message of messages) {
    const text = messageText(message).slice(0, quoteLength).trim();
    if (message.role === 'user' || message.role === 'assistant') turns.push({ role: message.role, text });
    else if ((message.role === 'system' || message.role === 'developer') && text !== '')
      instructions.push(text.slice(0, readLength));
  }
  const at = turns.findLastIndex((turn) => turn.role === 'user');
  const text = turns[at]?.text ?? '';
  return { text, head: text.slice(0, readLength).trim(), earlier: turns.slice(0, Math.max(0, at)), instructions };
}

/** A line that is always said. */
export function core(...ways: Segment): Line {
  return { ways, detail: 0 };
}

/** A line that low verbosity leaves out. */
export function more(...ways: Segment): Line {
  return { ways, detail: 1 };
}

/** A line that only high verbosity has. */
export function extra(...ways: Segment): Line {
  return { ways, detail: 2 };
}

/** The words of a text with the marks around them cut off, shortened to be quoted in a sentence. */
export function quote(text: string, longest = 60): string {
  const flat = text
    .slice(0, longest * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const short =
    flat.length > longest
      ? `${flat
          .slice(0, longest)
          .replace(/[\ud800-\udbff]$/, '')
          .replace(/\s+\S*$/, '')}…`
      : flat;
  return short.replace(/[.!?\s]+$/, '');
}
