import type { ChatCompletionTool, ChatCompletionToolCall, NamedToolChoice } from '@modelwire/schema/types';
import type { ChatRequest } from '@modelwire/ports';

/** What `tool_choice` and `parallel_tool_calls` permit a reply. */
export interface ToolPermission {
  /** The tools that may be called. */
  readonly tools: readonly ChatCompletionTool[];
  /** Whether the reply must call one. */
  readonly isRequired: boolean;
  /** Whether it may make only one call. */
  readonly isSingle: boolean;
}

type Choice = Pick<ChatRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls'>;

/** Evaluates `tool_choice` and `parallel_tool_calls` (API: Create chat completion). */
export function toolPermission({
  tools,
  tool_choice: choice,
  parallel_tool_calls: isParallel,
}: Choice): ToolPermission {
  if (typeof choice === 'string') {
    return { tools: choice === 'none' ? [] : tools, isRequired: choice === 'required', isSingle: !isParallel };
  }
  const isList = choice.type === 'allowed_tools';
  const named = isList ? choice.allowed_tools.tools : [choice];
  const isNamed = (tool: ChatCompletionTool): boolean =>
    named.some((one) => one.type === tool.type && toolName(one) === toolName(tool));
  return {
    tools: tools.filter(isNamed),
    isRequired: !isList || choice.allowed_tools.mode === 'required',
    isSingle: !isParallel || !isList,
  };
}

export function toolName(tool: ChatCompletionTool | ChatCompletionToolCall | NamedToolChoice): string {
  return tool.type === 'function' ? tool.function.name : tool.custom.name;
}

/** The input of a call: the arguments of a function, as JSON, or the text for a custom tool. */
export function toolInput(call: ChatCompletionToolCall): string {
  return call.type === 'function' ? call.function.arguments : call.custom.input;
}
