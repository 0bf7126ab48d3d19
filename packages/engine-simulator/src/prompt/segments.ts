import type { ChatCompletionMessageParam, ChatCompletionToolCall } from '@modelwire/schema/types';
import { contentText, toolInput, toolName } from '@modelwire/adapter-kit';
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
  const items: object[] = tools.map((tool) => (tool.type === 'function' ? tool.function : tool.custom));
  if (format.type === 'json_schema') items.push(format.json_schema);
  const segments = items.map((item): Segment => ({ text: JSON.stringify(item), extraTokens: perItem, kind: 'item' }));
  for (const message of messages) {
    segments.push({ text: contentText(message.content), extraTokens: perItem, kind: message.role });
    for (const { kind, tokens, digest } of mediaOf(message)) {
      segments.push({ text: '', extraTokens: tokens, kind: `${kind} ${digest}` });
    }
    if ('name' in message && message.name !== undefined) {
      segments.push({ text: message.name, extraTokens: 1, kind: 'name' });
    }
    for (const call of callsOf(message)) {
      segments.push({ text: `${toolName(call)} ${toolInput(call)}`, extraTokens: perItem, kind: 'call' });
    }
  }
  return segments;
}

export function callsOf(message: ChatCompletionMessageParam): readonly ChatCompletionToolCall[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : [];
}
