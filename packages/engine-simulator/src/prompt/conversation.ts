import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import { callOf, messageText } from './segments.ts';

/** The parts of a conversation that a reply is planned from. */
export interface Conversation {
  /** The last user message; empty if there is none. */
  readonly text: string;
  /** Its beginning. Patterns are matched with this, since some would be slow on a long prompt. */
  readonly head: string;
  /** The previous user messages, oldest first. */
  readonly earlier: readonly string[];
  /** System and developer messages. */
  readonly instructions: string;
  /** The calls since the last user message, in order. */
  readonly calls: readonly AnsweredCall[];
}

/** A call of a tool, and what the tool returned. */
export interface AnsweredCall {
  readonly name: string;
  readonly input: string;
  result: string | undefined;
}

const maxHead = 1500;
/** Longer texts are truncated before they are repeated: no reply is longer. */
export const maxQuoted = 32_768;

export function readConversation(messages: readonly ChatCompletionMessageParam[]): Conversation {
  const earlier: string[] = [];
  const instructions: string[] = [];
  const calls = new Map<string, AnsweredCall>();
  for (const message of messages) {
    const text = messageText(message).slice(0, maxQuoted).trim();
    if (message.role === 'user') {
      earlier.push(text);
      calls.clear();
    } else if (message.role === 'system' || message.role === 'developer') instructions.push(text.slice(0, maxHead));
    else if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) calls.set(call.id, { ...callOf(call), result: undefined });
    } else if (message.role === 'tool') {
      const call = calls.get(message.tool_call_id);
      if (call) call.result = text.slice(0, 4000);
    }
  }
  const text = earlier.pop() ?? '';
  const head = text.slice(0, maxHead).trim();
  return { text, head, earlier, instructions: instructions.join('\n'), calls: [...calls.values()] };
}
