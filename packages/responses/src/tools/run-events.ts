import type * as core from '@modelwire/core/internal/tools';
import type { RunnableTool, StandardSchema } from '@modelwire/core/internal/tools';
import type {
  ResponseCustomToolCallOutput,
  ResponseFunctionCallOutput,
  ResponseInputItem,
  ResponseStreamEvent,
  ResponseUsage,
} from '@modelwire/schema/types';
import type { ModelResponse } from '../output-text.ts';
import type { Outcome } from '../parse/outcome.ts';
import type { ParsedCallOf } from '../parse/tool-calls.ts';

/** The result of a run. */
export interface ToolRunResult<S extends StandardSchema, T extends readonly RunnableTool[]> extends core.ToolRunResult<
  Outcome<S, T>,
  ResponseUsage
> {
  /** The last response, unchanged. Continue it with its `id` as `previous_response_id`. */
  readonly response: ModelResponse;
  /** The input of the request, and everything that was added: the output of each response, and the outputs of tools. */
  readonly items: readonly ResponseInputItem[];
}

/** An event of a streamed response, with `stream: true` and while the run is iterated. */
export type RunDeltaEvent = core.RunDeltaEvent<ResponseStreamEvent>;

/** The model has replied. */
export interface RunResponseEvent {
  readonly type: 'response';
  readonly step: number;
  readonly response: ModelResponse;
}

/** A tool has ended, in the order in which tools end. */
export interface RunToolResultEvent<Call> extends core.RunToolResultEvent<Call> {
  /** The item that is sent to the model. */
  readonly item: ResponseFunctionCallOutput | ResponseCustomToolCallOutput;
}

/** An event of a run, discriminated by `type`. `step` is the number of the request, from 1. */
export type ToolRunEvent<S extends StandardSchema, T extends readonly RunnableTool[]> =
  | core.RunEvent<ResponseStreamEvent, ParsedCallOf<T[number]>, ToolRunResult<S, T>>
  | RunResponseEvent
  | RunToolResultEvent<ParsedCallOf<T[number]>>;
