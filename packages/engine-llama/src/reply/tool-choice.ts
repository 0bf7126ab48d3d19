import type { ChatCompletionTool, NamedToolChoice } from '@modelwire/schema/types';
import type { ChatRequest } from '@modelwire/ports';

/** The tools that can be called, and whether a call is required. */
export interface ResolvedToolChoice {
  readonly tools: readonly ChatCompletionTool[];
  readonly isRequired: boolean;
}

/** Resolves `tool_choice` (API: Create chat completion). */
export function resolveToolChoice({
  tools,
  tool_choice: choice,
}: Pick<ChatRequest, 'tools' | 'tool_choice'>): ResolvedToolChoice {
  if (choice === 'none') return { tools: [], isRequired: false };
  if (typeof choice === 'string') return { tools, isRequired: choice === 'required' };
  const [named, isRequired] =
    choice.type === 'allowed_tools'
      ? [choice.allowed_tools.tools, choice.allowed_tools.mode === 'required']
      : [[choice], true];
  const isNamed = (tool: ChatCompletionTool): boolean =>
    named.some((one) => one.type === tool.type && nameOf(one) === nameOf(tool));
  return { tools: tools.filter(isNamed), isRequired };
}

export function nameOf(tool: ChatCompletionTool | NamedToolChoice): string {
  return tool.type === 'function' ? tool.function.name : tool.custom.name;
}
