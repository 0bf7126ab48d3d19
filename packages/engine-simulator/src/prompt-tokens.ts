import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import type { ChatRequest } from '@modelwire/ports';
import { mediaOf } from './media.ts';
import { rememberedCounts } from './remembered-counts.ts';
import type { Tokenizer } from './tokenizer.ts';

/** Tokens around each message: its start, role and end. */
export const perMessage = 3;
/** A name costs its own tokens and this. */
export const perName = 1;
/** What opens the reply. */
export const perReply = 3;
/** Around each tool, each call in a message and the schema of the reply. */
export const perItem = 3;

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
export type Breathe = () => Promise<void> | undefined;

/** What a prompt is made of. */
export type Prompt = Pick<ChatRequest, 'messages' | 'tools' | 'response_format'>;

/** Counts prompt tokens; texts already counted cost next to nothing. */
export interface PromptCounter {
  /** The count if it is there in an instant: all texts are short or were counted before. */
  now(prompt: Prompt): number | undefined;
  count(prompt: Prompt, breathe: Breathe): Promise<number>;
}

const none: readonly string[] = [];

/** Tools, and the schema of the reply, as the model reads them: their JSON. */
export function itemsOf({ tools, response_format: format }: Prompt): readonly string[] {
  if (tools.length === 0 && format.type !== 'json_schema') return none;
  const items = tools.map((tool) => JSON.stringify(tool.type === 'function' ? tool.function : tool.custom));
  return format.type === 'json_schema' ? [...items, JSON.stringify(format.json_schema)] : items;
}

/** Calls in a message: name and input. */
export function callsOf(message: ChatCompletionMessageParam): readonly string[] {
  if (message.role !== 'assistant' || !message.tool_calls) return none;
  return message.tool_calls.map((call) =>
    call.type === 'function'
      ? `${call.function.name} ${call.function.arguments}`
      : `${call.custom.name} ${call.custom.input}`,
  );
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
    now(prompt) {
      let left = shortPrompt;
      let total = perReply;
      /** False when a text is too long to be counted at once. */
      const add = (text: string): boolean => {
        if (text === '') return true;
        let tokens = known.get(text);
        if (tokens === undefined) {
          left -= text.length;
          if (left < 0) return false;
          tokens = countNow(text);
        }
        total += tokens;
        return true;
      };
      for (const item of itemsOf(prompt)) {
        total += perItem;
        if (!add(item)) return undefined;
      }
      for (const message of prompt.messages) {
        total += perMessage;
        for (const { tokens } of mediaOf(message)) total += tokens;
        if (!add(messageText(message))) return undefined;
        const name = nameOf(message);
        if (name !== undefined) {
          total += perName;
          if (!add(name)) return undefined;
        }
        for (const call of callsOf(message)) {
          total += perItem;
          if (!add(call)) return undefined;
        }
      }
      return total;
    },
    async count(prompt, breathe) {
      let total = perReply;
      const add = async (text: string): Promise<void> => {
        if (text !== '') total += known.get(text) ?? (await count(text, breathe));
      };
      for (const item of itemsOf(prompt)) {
        total += perItem;
        await add(item);
      }
      for (const message of prompt.messages) {
        total += perMessage;
        for (const { tokens } of mediaOf(message)) total += tokens;
        await add(messageText(message));
        const name = nameOf(message);
        if (name !== undefined) {
          total += perName;
          await add(name);
        }
        for (const call of callsOf(message)) {
          total += perItem;
          await add(call);
        }
      }
      return total;
    },
  };
}

export function nameOf(message: ChatCompletionMessageParam): string | undefined {
  return 'name' in message ? message.name : undefined;
}
