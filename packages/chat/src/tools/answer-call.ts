import type { ChatCompletionToolMessageParam } from '@modelwire/schema/types';
import type { ParsedCall } from '../parse/tool-calls.ts';
import { describeIssues } from '../schema/standard-schema.ts';
import { ToolError } from './tool-error.ts';
import type { RunnableTool } from './tool.ts';

/** What a call came to, and what the model is told of it. */
export interface CallAnswer {
  readonly call: ParsedCall;
  /** What the tool gave. */
  readonly result?: unknown;
  /** Why it gave nothing. */
  readonly error?: ToolError;
  readonly message: ChatCompletionToolMessageParam;
}

/** Runs the tool of a call. Never rejects. */
export async function answerCall(
  call: ParsedCall,
  tools: ReadonlyMap<string, RunnableTool>,
  signal: AbortSignal,
): Promise<CallAnswer> {
  const { id, name } = call;
  const tell = (content: string): ChatCompletionToolMessageParam => ({ role: 'tool', tool_call_id: id, content });
  const failed = (why: string, cause?: unknown): CallAnswer => {
    return { call, error: new ToolError(why, name, id, cause), message: tell(`Error: ${why}`) };
  };
  if (call.type === 'unknown') {
    // The model's slip and no tool's fault: it is told, whatever the policy.
    return { call, message: tell(`Error: There is no tool "${name}". Tools: ${[...tools.keys()].join(', ')}.`) };
  }
  if (call.type === 'invalid') {
    return failed(`The arguments of "${name}" are invalid: ${describeIssues(call.issues)}`);
  }
  const tool = tools.get(name);
  try {
    // The schema of this very tool has read the arguments.
    const result: unknown = await tool?.run(call.type === 'function' ? call.arguments : call.input, {
      signal,
      callId: id,
    });
    return { call, result, message: tell(textOf(result)) };
  } catch (cause) {
    return failed(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function textOf(result: unknown): string {
  if (typeof result === 'string') return result;
  return jsonOf(result) ?? 'null';
}

/** Nothing, and a function, have none. */
function jsonOf(value: unknown): string | undefined {
  return JSON.stringify(value);
}
