/** What callers of `runTools` define, pass and receive. The clients re-export it, so that their users need no other package. */
export * from './definitions.ts';
export { ToolError } from './tool-error.ts';
export type { RunnableTool } from './tool.ts';
export type { RunFinalEvent, RunToolCallEvent, RunToolsOptions } from './run.ts';
