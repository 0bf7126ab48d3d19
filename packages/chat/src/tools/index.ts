export * from './run-tools.ts';
export type * from './run-events.ts';
export { customTool, tool, ToolError } from '@modelwire/core/tools';
export type {
  CustomTool,
  FunctionTool,
  InferInput,
  InferOutput,
  RunFinalEvent,
  RunnableTool,
  RunToolCallEvent,
  RunToolsOptions,
  SchemaIssue,
  SchemaSource,
  StandardSchema,
  ToolContext,
} from '@modelwire/core/tools';
export type { Outcome } from '../parse/outcome.ts';
export type { ParsedCallOf } from '../parse/tool-calls.ts';
