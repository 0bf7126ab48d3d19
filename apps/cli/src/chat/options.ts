import type { ChatClient } from '@modelwire/chat';
import type { Conversation } from './conversation.ts';
import type { ChatParams } from './request.ts';
import type { CommandTool, ToolContext } from './tools.ts';

/** Options of a chat, interactive or not. */
export interface ChatOptions {
  readonly chat: ChatClient;
  readonly conversation: Conversation;
  readonly params: ChatParams;
  readonly tools: readonly CommandTool[];
  /** Maximum number of requests when tools are called. */
  readonly maxSteps: number;
  readonly approve: ToolContext['approve'];
}
