export { createChat } from './client.ts';
export type { ChatClient, ChatOptions } from './client.ts';
export type { ChatCompletionMessages, ChatCompletions } from './completions.ts';

export type { ChatStream, ChatStreamParams } from './stream.ts';
export type {
  AudioDeltaEvent,
  ChatStreamEvent,
  ChoiceFinishEvent,
  ChunkEvent,
  ContentDeltaEvent,
  FunctionCallDeltaEvent,
  LogprobsDeltaEvent,
  RefusalDeltaEvent,
  ToolCallDeltaEvent,
  UsageEvent,
} from './stream-events.ts';
export { createAccumulator } from './accumulate.ts';
export type { ChatAccumulator, ChatChoiceSnapshot, ChatSnapshot } from './accumulate.ts';

// What the methods take, return and throw, so that users need only this package.
export * from '@modelwire/core/client';
export type { EventStream, Paged, StreamState } from '@modelwire/core';
export type * from '@modelwire/schema/types';
