import { createTransport } from '@modelwire/core';
import type { ClientOptions } from '@modelwire/core';
import { createCompletions } from './completions.ts';
import type { ChatCompletions } from './completions.ts';

/** Options of a transport, or a transport that is shared with other clients. */
export type ChatOptions = ClientOptions;

export interface ChatClient {
  readonly completions: ChatCompletions;
}

/** Creates a client for chat completions. Throws an `InputError` for an invalid base URL. */
export function createChat(options: ChatOptions = {}): ChatClient {
  return { completions: createCompletions(createTransport(options)) };
}
