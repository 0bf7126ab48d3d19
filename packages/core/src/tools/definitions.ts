/** What callers of `parse` define schemas and tools with. The clients re-export it, so that their users need no other package. */
export { customTool, tool } from './tool.ts';
export type { CustomTool, FunctionTool, ToolContext } from './tool.ts';
export type { SchemaSource } from './json-schema.ts';
export type { InferInput, InferOutput, SchemaIssue, SchemaResult, StandardSchema } from './standard-schema.ts';
export type { DeepPartial } from '../json/index.ts';
