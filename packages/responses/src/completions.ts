import { createMethod, createTransport } from '@modelwire/core';
import type { CreateMethod } from '@modelwire/core';
import { createCompletion } from '@modelwire/schema/routes';
import type { TextCompletion, TextCompletionCreateParamsBase } from '@modelwire/schema/types';
import type { ClientOptions } from './client.ts';

/** The legacy endpoint that continues a text. Every method rejects only with a `ModelwireError`. */
export interface CompletionsClient {
  /** Creates a completion: complete, or with `stream: true` as chunks. */
  readonly create: CreateMethod<TextCompletionCreateParamsBase, TextCompletion, TextCompletion>;
}

/** Creates a client for legacy completions. Throws an `InputError` for an invalid base URL. */
export function createCompletions(options: ClientOptions = {}): CompletionsClient {
  const transport = createTransport(options);
  return { create: createMethod(transport, createCompletion) };
}
