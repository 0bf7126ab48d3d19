import type {
  ChatCompletion,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
  CompletionUsage,
} from '@modelwire/schema/types';
import type { Outcome } from '../parse/outcome.ts';
import type { ParsedCallOf } from '../parse/tool-calls.ts';
import type { StandardSchema } from '../schema/standard-schema.ts';
import type { ChatStreamEvent } from '../stream-events.ts';
import type { CallAnswer } from './answer-call.ts';
import type { RunnableTool } from './tool.ts';

/** What a run came to. */
export interface ToolRunResult<S extends StandardSchema, T extends readonly RunnableTool[]> {
  /**
   * `answer`: the model called no more tools; `steps` and `tokens`: it did, and a limit was reached. Its last calls were
   * not run then: they are in `outcome`, and `messages` ends with them.
   */
  readonly ended: 'answer' | 'steps' | 'tokens';
  /** What the last answer came to: parsed, a refusal, cut, or calls when a limit was reached. */
  readonly outcome: Outcome<S, T>;
  /** The last answer as it came. */
  readonly completion: ChatCompletion;
  /** The whole conversation: what was given, each answer, each tool's message in the order of the calls. */
  readonly messages: readonly ChatCompletionMessageParam[];
  /** All requests together. */
  readonly usage: CompletionUsage;
  /** Requests sent. */
  readonly steps: number;
}

/** A piece of an answer that streams: with `stream: true`, and as long as somebody iterates. */
export interface RunDeltaEvent {
  readonly type: 'delta';
  readonly step: number;
  readonly event: ChatStreamEvent;
}

/** The model has answered. */
export interface RunMessageEvent {
  readonly type: 'message';
  readonly step: number;
  readonly message: ChatCompletionMessage;
  readonly completion: ChatCompletion;
}

/** A tool is about to run. */
export interface RunToolCallEvent<Call> {
  readonly type: 'tool_call';
  readonly step: number;
  readonly call: Call;
}

/** A tool is done, in the order in which they end. */
export interface RunToolResultEvent<Call> extends Omit<CallAnswer, 'call'> {
  readonly type: 'tool_result';
  readonly step: number;
  readonly call: Call;
}

/** The last event. */
export interface RunFinalEvent<Result> {
  readonly type: 'final';
  readonly result: Result;
}

/** What happens in a run, told apart by `type`. `step` counts requests, from 1. */
export type ToolRunEvent<S extends StandardSchema, T extends readonly RunnableTool[]> =
  | RunDeltaEvent
  | RunMessageEvent
  | RunToolCallEvent<ParsedCallOf<T[number]>>
  | RunToolResultEvent<ParsedCallOf<T[number]>>
  | RunFinalEvent<ToolRunResult<S, T>>;
