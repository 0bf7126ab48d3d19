import { createTransport } from '@modelwire/core';
import type { Transport, TransportOptions } from '@modelwire/core';
import { createCompletions } from './completions.ts';
import type { ChatCompletions } from './completions.ts';

/** How to reach the server, or a transport that other clients use too. */
export type ChatOptions = TransportOptions | Transport;

export interface ChatClient {
  readonly completions: ChatCompletions;
}

/** A client for chat completions. Throws an `InputError` for a broken base URL. */
export function createChat(options: ChatOptions = {}): ChatClient {
  return { completions: createCompletions('request' in options ? options : createTransport(options)) };
}
