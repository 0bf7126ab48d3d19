import { describeIssues } from './standard-schema.ts';
import type { ParsedCall } from './tool-call.ts';
import { ToolError } from './tool-error.ts';
import type { RunnableTool } from './tool.ts';

/** The result of a tool call. */
export interface ToolCallResult {
  /** What the tool returned. */
  readonly result?: unknown;
  /** Why it failed. */
  readonly error?: ToolError;
  /** What the model is told. */
  readonly text: string;
}

/** Runs the tool of a call. Never rejects. */
export async function runToolCall(
  call: ParsedCall<unknown>,
  tools: ReadonlyMap<string, RunnableTool>,
  signal: AbortSignal,
): Promise<ToolCallResult> {
  const { id, name } = call;
  const failed = (reason: string, cause?: unknown): ToolCallResult => {
    return { error: new ToolError(reason, name, id, cause), text: `Error: ${reason}` };
  };
  if (call.type === 'unknown') {
    // An error of the model, not of a tool: always reported to the model.
    return { text: `Error: There is no tool "${name}". Tools: ${[...tools.keys()].join(', ')}.` };
  }
  if (call.type === 'invalid') {
    return failed(`The arguments of "${name}" are invalid: ${describeIssues(call.issues)}`);
  }
  const tool = tools.get(name);
  try {
    // The arguments are the output of this tool's schema.
    const result: unknown = await tool?.run(call.type === 'function' ? call.arguments : call.input, {
      signal,
      callId: id,
    });
    return { result, text: toText(result) };
  } catch (cause) {
    return failed(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function toText(result: unknown): string {
  if (typeof result === 'string') return result;
  return toJson(result) ?? 'null';
}

/** Undefined for undefined and for functions. */
function toJson(value: unknown): string | undefined {
  return JSON.stringify(value);
}
