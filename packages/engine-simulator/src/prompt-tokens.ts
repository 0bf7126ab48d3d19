import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import { rememberedCounts } from './remembered-counts.ts';
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

/** Awaited between parts of a long text, where it gives something to await. */
type Breathe = () => Promise<void> | undefined;

/** Counts prompt tokens; texts already counted cost next to nothing. */
export interface PromptCounter {
  /** The count if it is there in an instant: all texts are short or were counted before. */
  now(messages: readonly ChatCompletionMessageParam[]): number | undefined;
  count(messages: readonly ChatCompletionMessageParam[], breathe: Breathe): Promise<number>;
}

/** What the memory of texts may take. */
const memoryBytes = 8 * 1024 * 1024;
/** Messages that are counted in one go have at most this many new UTF-16 units in all: about 0.5 ms. */
const shortPrompt = 8192;

export function promptCounter(tokenizer: Tokenizer): PromptCounter {
  const known = rememberedCounts(memoryBytes);
  const countNow = (text: string): number => {
    let total = 0;
    for (const part of tokenizer.counts(text)) total += part;
    known.set(text, total);
    return total;
  };
  const count = async (text: string, breathe: Breathe): Promise<number> => {
    let total = 0;
    for (const part of tokenizer.counts(text)) {
      total += part;
      const pause = breathe();
      if (pause !== undefined) await pause;
    }
    known.set(text, total);
    return total;
  };
  return {
    now(messages) {
      let left = shortPrompt;
      let total = perReply;
      for (const message of messages) {
        total += perMessage;
        const content = messageText(message);
        const name = nameOf(message);
        if (name !== undefined) total += perName;
        for (const text of name === undefined ? [content] : [content, name]) {
          if (text === '') continue;
          let tokens = known.get(text);
          if (tokens === undefined) {
            left -= text.length;
            if (left < 0) return undefined;
            tokens = countNow(text);
          }
          total += tokens;
        }
      }
      return total;
    },
    async count(messages, breathe) {
      let total = perReply;
      for (const message of messages) {
        total += perMessage;
        const content = messageText(message);
        const name = nameOf(message);
        if (content !== '') total += known.get(content) ?? (await count(content, breathe));
        if (name !== undefined) total += perName + (known.get(name) ?? (await count(name, breathe)));
      }
      return total;
    },
  };
}

function nameOf(message: ChatCompletionMessageParam): string | undefined {
  return 'name' in message ? message.name : undefined;
}
