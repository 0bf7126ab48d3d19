// Schemas
export { describeIssues, parseJson } from './standard-schema.ts';
export type { InferInput, InferOutput, SchemaIssue, SchemaResult, StandardSchema } from './standard-schema.ts';
export { jsonSchemaOf } from './json-schema.ts';
export type { JsonSchema, SchemaSource } from './json-schema.ts';

// Tools and their calls
export { customTool, isSchemaTool, tool, toolsByName } from './tool.ts';
export type { CustomTool, CustomToolInputFormat, FunctionTool, RunnableTool, SchemaTool, ToolContext } from './tool.ts';
export { parseToolCall } from './tool-call.ts';
export type {
  InvalidCall,
  ParsedCall,
  ParsedCallOf,
  ParsedCustomCall,
  ParsedFunctionCall,
  ToolCallInit,
  UnknownCall,
} from './tool-call.ts';
export { runToolCall } from './run-tool-call.ts';
export type { ToolCallResult } from './run-tool-call.ts';
export { ToolError } from './tool-error.ts';

// Runs
export { startRun } from './run.ts';
export type { Run, RunContext, RunFinalEvent } from './run.ts';
