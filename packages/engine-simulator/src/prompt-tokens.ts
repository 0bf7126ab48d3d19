import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import { lru } from './lru.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Tokens around each message: its start, role and end. */
export const perMessage = 3;
/** A name costs its own tokens and this. */
export const perName = 1;
/** What opens the reply. */
export const perReply = 3;

/** The text of a message: its string, or its text parts one after the other. Refusal parts count as what the assistant said. */
export function messageText(message: ChatCompletionMessageParam): string {
  const { content } = message;
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  let text = '';
  for (const part of content) {
    if (part.type === 'text') text += part.text;
    else if (part.type === 'refusal') text += part.refusal;
  }
  return text;
}

/** Counts prompt tokens; texts already counted cost nothing. `breathe` is awaited between parts of a long text. */
export type PromptCounter = (
  messages: readonly ChatCompletionMessageParam[],
  breathe: () => Promise<void> | undefined,
) => Promise<number>;

export function promptCounter(tokenizer: Tokenizer): PromptCounter {
  // At most 8 Mi UTF-16 units of keys.
  const known = lru<number>(1024, 8 * 1024 * 1024);
  const count = async (text: string, breathe: () => Promise<void> | undefined): Promise<number> => {
    const before = known.get(text);
    if (before !== undefined) return before;
    let total = 0;
    for (const part of tokenizer.counts(text)) {
      total += part;
      const pause = breathe();
      if (pause !== undefined) await pause;
    }
    known.set(text, total, text.length);
    return total;
  };
  return async (messages, breathe) => {
    let total = perReply;
    for (const message of messages) {
      total += perMessage;
      const content = messageText(message);
      if (content !== '') total += known.get(content) ?? (await count(content, breathe));
      if ('name' in message && message.name !== undefined) total += perName + (await count(message.name, breathe));
    }
    return total;
  };
}
