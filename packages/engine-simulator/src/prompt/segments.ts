import type { ChatCompletionMessageParam } from '@modelwire/schema/types';
import type { ChatRequest } from '@modelwire/ports';
import { mediaOf } from './media.ts';

/** The parts of a prompt. */
export type Prompt = Pick<ChatRequest, 'messages' | 'tools' | 'response_format'>;

/** A text of a prompt. */
export interface Segment {
  readonly text: string;
  /** Tokens in addition to those of its text. */
  readonly extraTokens: number;
  /** Distinguishes equal texts of different kinds, such as a system and a user message. */
  readonly kind: string;
}

/** Tokens around each message, and around each tool, call and schema. */
const perItem = 3;

/** The texts that a prompt consists of: tools, the schema of the reply, messages with their names, media and calls. */
export function segmentsOf({ messages, tools, response_format: format }: Prompt): readonly Segment[] {
  const segments: Segment[] = [];
  for (const tool of tools) {
    const text = JSON.stringify(tool.type === 'function' ? tool.function : tool.custom);
    segments.push({ text, extraTokens: perItem, kind: 'item' });
  }
  if (format.type === 'json_schema') {
    segments.push({ text: JSON.stringify(format.json_schema), extraTokens: perItem, kind: 'item' });
  }
  for (const message of messages) {
    segments.push({ text: messageText(message), extraTokens: perItem, kind: message.role });
    for (const { kind, tokens, data } of mediaOf(message)) {
      segments.push({ text: '', extraTokens: tokens, kind: `${kind} ${data}` });
    }
    if ('name' in message && message.name !== undefined) {
      segments.push({ text: message.name, extraTokens: 1, kind: 'name' });
    }
    if (message.role !== 'assistant') continue;
    for (const call of message.tool_calls ?? []) {
      const { name, input } = callOf(call);
      segments.push({ text: `${name} ${input}`, extraTokens: perItem, kind: 'call' });
    }
  }
  return segments;
}

type AssistantMessage = Extract<ChatCompletionMessageParam, { role: 'assistant' }>;
type Call = NonNullable<AssistantMessage['tool_calls']>[number];

export function callOf(call: Call): { readonly name: string; readonly input: string } {
  return call.type === 'function' ? { name: call.function.name, input: call.function.arguments } : call.custom;
}

/** The text of a message: its string, or its text and refusal parts joined. */
export function messageText({ content }: ChatCompletionMessageParam): string {
  if (typeof content === 'string') return content;
  const parts = content ?? [];
  return parts.map((part) => (part.type === 'text' ? part.text : part.type === 'refusal' ? part.refusal : '')).join('');
}
