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
export type * from './tool-calls.ts';
export type { ParseTool } from './tool-param.ts';
export * from '@modelwire/core/internal/tools/definitions';
