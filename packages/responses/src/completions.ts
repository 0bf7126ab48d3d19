import { asStream, createTransport } from '@modelwire/core';
import type { ApiPromise, CallOptions, EventStream } from '@modelwire/core';
import { createCompletion } from '@modelwire/schema/routes';
import type {
  TextCompletion,
  TextCompletionCreateParamsBase,
  TextCompletionCreateParamsNonStreaming,
  TextCompletionCreateParamsStreaming,
} from '@modelwire/schema/types';
import type { ClientOptions } from './client.ts';

/** The legacy endpoint that continues a text. Every method rejects only with a `ModelwireError`. */
export interface CompletionsClient {
  /** Creates a completion: complete, or with `stream: true` as chunks. */
  create(params: TextCompletionCreateParamsNonStreaming, options?: CallOptions): ApiPromise<TextCompletion>;
  create(params: TextCompletionCreateParamsStreaming, options?: CallOptions): ApiPromise<EventStream<TextCompletion>>;
  create(
    params: TextCompletionCreateParamsBase,
    options?: CallOptions,
  ): ApiPromise<TextCompletion | EventStream<TextCompletion>>;
}

/** Creates a client for legacy completions. Throws an `InputError` for an invalid base URL. */
export function createCompletions(options: ClientOptions = {}): CompletionsClient {
  const transport = 'request' in options ? options : createTransport(options);
  function create(params: TextCompletionCreateParamsNonStreaming, options?: CallOptions): ApiPromise<TextCompletion>;
  function create(
    params: TextCompletionCreateParamsStreaming,
    options?: CallOptions,
  ): ApiPromise<EventStream<TextCompletion>>;
  function create(
    params: TextCompletionCreateParamsBase,
    options?: CallOptions,
  ): ApiPromise<TextCompletion | EventStream<TextCompletion>> {
    const request = { ...options, body: params };
    return params.stream === true
      ? transport.request(createCompletion, request, asStream<TextCompletion>())
      : transport.request<TextCompletion>(createCompletion, request);
  }
  return { create };
}
