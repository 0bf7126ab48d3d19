import type {
  ChatCompletion,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
  ChatCompletionToolMessageParam,
  CompletionUsage,
} from '@modelwire/schema/types';
import type * as core from '@modelwire/core/internal/tools';
import type { RunnableTool, StandardSchema } from '@modelwire/core/internal/tools';
import type { Outcome } from '../parse/outcome.ts';
import type { ParsedCallOf } from '../parse/tool-calls.ts';
import type { ChatStreamEvent } from '../stream-events.ts';

/** The result of a run. */
export interface ToolRunResult<S extends StandardSchema, T extends readonly RunnableTool[]> extends core.ToolRunResult<
  Outcome<S, T>,
  CompletionUsage
> {
  /** The last completion, unchanged. */
  readonly completion: ChatCompletion;
  /** The whole conversation: the messages of the request, each reply, and the tool messages in the order of the calls. */
  readonly messages: readonly ChatCompletionMessageParam[];
}

/** An event of a streamed reply, with `stream: true` and while the run is iterated. */
export type RunDeltaEvent = core.RunDeltaEvent<ChatStreamEvent>;

/** The model has replied. */
export interface RunMessageEvent {
  readonly type: 'message';
  readonly step: number;
  readonly message: ChatCompletionMessage;
  readonly completion: ChatCompletion;
}

/** A tool has ended, in the order in which tools end. */
export interface RunToolResultEvent<Call> extends core.RunToolResultEvent<Call> {
  /** The message to the model. */
  readonly message: ChatCompletionToolMessageParam;
}

/** An event of a run, discriminated by `type`. `step` is the number of the request, from 1. */
export type ToolRunEvent<S extends StandardSchema, T extends readonly RunnableTool[]> =
  | core.RunEvent<ChatStreamEvent, ParsedCallOf<T[number]>, ToolRunResult<S, T>>
  | RunMessageEvent
  | RunToolResultEvent<ParsedCallOf<T[number]>>;
