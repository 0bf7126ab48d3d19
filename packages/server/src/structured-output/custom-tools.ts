import { toolName } from '@modelwire/adapter-kit';
import type { ChatCapabilities } from '@modelwire/ports';
import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ChatCompletionToolCall,
  NamedToolChoice,
  ToolChoice,
} from '@modelwire/schema/types';

/** Whether custom tools become functions with one string: the engine has function tools only. */
export function emulatesCustomTools({ tool_types: types }: ChatCapabilities): boolean {
  return types.includes('function') && !types.includes('custom');
}

/** Types of tools that the engine supports, or that the server emulates. */
export function supportedToolTypes(capabilities: ChatCapabilities): ChatCapabilities['tool_types'] {
  return emulatesCustomTools(capabilities) ? ['function', 'custom'] : capabilities.tool_types;
}

/** Grammars of custom tools that the engine receives. */
export function engineGrammars(capabilities: ChatCapabilities): ChatCapabilities['grammars'] {
  return emulatesCustomTools(capabilities) ? [] : capabilities.grammars;
}

/** Whether a request uses custom tools, in its parameters or in its messages. */
export function hasCustomTools({ tools, messages }: ChatCompletionCreateParams): boolean {
  return (tools ?? []).some(isCustom) || messages.some((message) => toolCallsOf(message).some(isCustom));
}

/** The arguments of the function that a custom tool becomes. */
const customToolParameters = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
} as const;

/** A custom tool as a function. Its format has to be in its description. */
export function toolAsFunction(tool: ChatCompletionTool): ChatCompletionTool {
  if (tool.type === 'function') return tool;
  const { name, description } = tool.custom;
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters: customToolParameters },
  };
}

export function choiceAsFunction(choice: ToolChoice): ToolChoice {
  if (typeof choice === 'string') return choice;
  if (choice.type !== 'allowed_tools') return namedFunction(choice);
  const { mode, tools } = choice.allowed_tools;
  return { type: 'allowed_tools', allowed_tools: { mode, tools: tools.map(namedFunction) } };
}

export function callsAsFunctions(message: ChatCompletionMessageParam): ChatCompletionMessageParam {
  if (message.role !== 'assistant' || !message.tool_calls?.some(isCustom)) return message;
  return { ...message, tool_calls: message.tool_calls.map(callAsFunction) };
}

function callAsFunction(call: ChatCompletionToolCall): ChatCompletionToolCall {
  if (call.type === 'function') return call;
  const { name, input } = call.custom;
  return { id: call.id, type: 'function', function: { name, arguments: JSON.stringify({ input }) } };
}

function namedFunction(choice: NamedToolChoice): NamedToolChoice {
  return { type: 'function', function: { name: toolName(choice) } };
}

function toolCallsOf(message: ChatCompletionMessageParam): readonly ChatCompletionToolCall[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : [];
}

function isCustom({ type }: { readonly type: string }): boolean {
  return type === 'custom';
}
