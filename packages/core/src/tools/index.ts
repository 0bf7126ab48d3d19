// Schemas
export * from './standard-schema.ts';
export { jsonSchemaOf } from './json-schema.ts';
export type { JsonSchema, SchemaSource } from './json-schema.ts';

// Tools and their calls
export * from './tool.ts';
export * from './tool-call.ts';
export { runToolCall } from './run-tool-call.ts';
export type { ToolCallResult } from './run-tool-call.ts';
export { ToolError } from './tool-error.ts';

// Streams and runs
export * from './parsed-stream.ts';
export * from './run.ts';
