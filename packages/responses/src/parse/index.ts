export { parse } from './parse.ts';
export type { Parsed } from './parse.ts';
export { streamParsed } from './stream.ts';
export type { ParsedStream, ParsedStreamEvent, PartialArgumentsEvent, PartialEvent } from './stream.ts';
export type { ParseParams, ParseTextOptions } from './request.ts';
export type {
  FailedOutcome,
  InvalidOutcome,
  Outcome,
  ParsedOutcome,
  RefusalOutcome,
  ToolCallsOutcome,
  TruncatedOutcome,
} from './outcome.ts';
export type {
  InvalidCall,
  ModelToolCall,
  ParsedCall,
  ParsedCallOf,
  ParsedCustomCall,
  ParsedFunctionCall,
  UnknownCall,
} from './tool-calls.ts';
export type { ParseTool } from './tool-param.ts';

export { customTool, tool } from '@modelwire/core/tools';
export type {
  CustomTool,
  FunctionTool,
  InferInput,
  InferOutput,
  SchemaIssue,
  SchemaResult,
  SchemaSource,
  StandardSchema,
  ToolContext,
} from '@modelwire/core/tools';
export type { DeepPartial } from '@modelwire/core/partial-json';
