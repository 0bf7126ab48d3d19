export { runTools } from './run-tools.ts';
export type { RunToolsOptions, RunToolsParams, ToolRun } from './run-tools.ts';
export type {
  RunDeltaEvent,
  RunFinalEvent,
  RunMessageEvent,
  RunToolCallEvent,
  RunToolResultEvent,
  ToolRunEvent,
  ToolRunResult,
} from './run-events.ts';
export { customTool, tool } from './tool.ts';
export type { CustomTool, FunctionTool, RunnableTool, ToolContext } from './tool.ts';
export { ToolError } from './tool-error.ts';
export type { Outcome } from '../parse/outcome.ts';
export type { ParsedCallOf } from '../parse/tool-calls.ts';
export type { SchemaSource } from '../schema/json-schema.ts';
export type { InferInput, InferOutput, SchemaIssue, StandardSchema } from '../schema/standard-schema.ts';
