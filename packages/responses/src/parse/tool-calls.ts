import type * as core from '@modelwire/core/internal/tools';
import type { ResponseOutputItem } from '@modelwire/schema/types';
import type { ParseTool } from './tool-param.ts';

/** A call of a function or of a custom tool in the output of a response. */
export type ModelToolCall = Extract<ResponseOutputItem, { type: 'function_call' | 'custom_tool_call' }>;

/** A function call with the arguments as the output of its schema. */
export type ParsedFunctionCall<Name extends string = string, Arguments = unknown> = core.ParsedFunctionCall<
  ModelToolCall,
  Name,
  Arguments
>;

export type ParsedCustomCall<Name extends string = string> = core.ParsedCustomCall<ModelToolCall, Name>;

/** A call with arguments that are not JSON, or that the schema rejects. */
export type InvalidCall = core.InvalidCall<ModelToolCall>;

/** A call of a tool without a schema, or of a tool that is not in the request. */
export type UnknownCall = core.UnknownCall<ModelToolCall>;

/** A call of one of these tools. Its `id` is the `call_id`. */
export type ParsedCallOf<T extends ParseTool> = core.ParsedCallOf<ModelToolCall, T>;

/** A call of any tool. */
export type ParsedCall = core.ParsedCall<ModelToolCall>;
