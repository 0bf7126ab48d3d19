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
export type * from './tool-calls.ts';
export type { ParseTool } from './tool-param.ts';
export * from '@modelwire/core/internal/tools/definitions';
