export { parse } from './parse.ts';
export type { Parsed } from './parse.ts';
export { streamParsed } from './stream.ts';
export type { ParsedStream, ParsedStreamEvent, PartialArgumentsEvent, PartialEvent } from './stream.ts';
export type { ParseParams } from './request.ts';
export type {
  TruncatedOutcome,
  InvalidOutcome,
  Outcome,
  ParsedOutcome,
  RefusalOutcome,
  ToolCallsOutcome,
} from './outcome.ts';
export type {
  InvalidCall,
  ParsedCall,
  ParsedCallOf,
  ParsedCustomCall,
  ParsedFunctionCall,
  UnknownCall,
} from './tool-calls.ts';

export { customTool, tool } from '../tools/tool.ts';
export type { CustomTool, FunctionTool, ParseTool, ToolContext } from '../tools/tool.ts';
export type { SchemaSource } from '../schema/json-schema.ts';
export type { InferInput, InferOutput, SchemaIssue, SchemaResult, StandardSchema } from '../schema/standard-schema.ts';
export type { DeepPartial } from '../json/partial-json.ts';
