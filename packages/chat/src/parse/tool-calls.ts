import type * as core from '@modelwire/core/internal/tools';
import type { ChatCompletionToolCall } from '@modelwire/schema/types';
import type { ParseTool } from './tool-param.ts';

/** A function call with the arguments as the output of its schema. */
export type ParsedFunctionCall<Name extends string = string, Arguments = unknown> = core.ParsedFunctionCall<
  ChatCompletionToolCall,
  Name,
  Arguments
>;

export type ParsedCustomCall<Name extends string = string> = core.ParsedCustomCall<ChatCompletionToolCall, Name>;

/** A call with arguments that are not JSON, or that the schema rejects. */
export type InvalidCall = core.InvalidCall<ChatCompletionToolCall>;

/** A call of a tool without a schema, or of a tool that is not in the request. */
export type UnknownCall = core.UnknownCall<ChatCompletionToolCall>;

/** A call of one of these tools. */
export type ParsedCallOf<T extends ParseTool> = core.ParsedCallOf<ChatCompletionToolCall, T>;

/** A call of any tool. */
export type ParsedCall = core.ParsedCall<ChatCompletionToolCall>;
