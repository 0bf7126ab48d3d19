export * from './client.ts';
export { createResponseAccumulator } from './accumulate.ts';
export type { ResponseAccumulator } from './accumulate.ts';
export type { ModelResponse } from './output-text.ts';
export type { ResponseStream } from './stream.ts';

export * from './conversations.ts';

export * from './embeddings.ts';

export { createCompletions } from './completions.ts';
export type { CompletionsClient } from './completions.ts';

// What the methods take, return and throw, so that users need only this package.
export * from '@modelwire/core/client';
export type { EventStream, Paged, StreamState } from '@modelwire/core';
export type * from '@modelwire/schema/types';
