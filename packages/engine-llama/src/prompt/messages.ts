import type {
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ChatCompletionToolCall,
  ResponseFormat,
} from '@modelwire/schema/types';
import { guardBody } from '@modelwire/schema/internal';
import { parseJson } from '@modelwire/adapter-kit';
import { unsupported } from '@modelwire/ports';
import type { TemplateMessage } from './template.ts';

/** A tool in the format of chat templates. A custom tool becomes a function with one string parameter. */
export function toolSignature(tool: ChatCompletionTool): Readonly<Record<string, unknown>> {
  if (tool.type === 'function') {
    const { name, description = '', parameters = { type: 'object', properties: {} } } = tool.function;
    return { type: 'function', function: { name, description, parameters } };
  }
  const { name, description = '', format } = tool.custom;
  const fullDescription =
    format?.type === 'grammar'
      ? `${description}\nThe input follows this ${format.grammar.syntax} grammar:\n${format.grammar.definition}`.trim()
      : description;
  const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };
  return { type: 'function', function: { name, description: fullDescription, parameters } };
}

/** The start of a tool call in the syntax of most model families, which the instructions for other models also describe. */
export const toolCallStart = '<tool_call>';

function formatCall(call: ChatCompletionToolCall): string {
  const { name, input } = callOf(call);
  return `${toolCallStart}\n{"name": ${JSON.stringify(name)}, "arguments": ${JSON.stringify(input)}}\n</tool_call>`;
}

function callOf(call: ChatCompletionToolCall): { readonly name: string; readonly input: unknown } {
  if (call.type === 'custom') return { name: call.custom.name, input: { input: call.custom.input } };
  return { name: call.function.name, input: parseArguments(call.function.arguments) };
}

/** Parses the arguments of a call. Returns text that is not JSON unchanged, because arguments in requests can be any text. */
function parseArguments(text: string): unknown {
  const value = parseJson(text);
  // Templates and JSON.stringify are recursive, so that deeply nested values remain text.
  return value === undefined || guardBody(value).problem ? text : value;
}

/** Converts the conversation to messages of a template. Without tool support, calls and results become text. */
export function templateMessages(
  messages: readonly ChatCompletionMessageParam[],
  supportsTools: boolean,
): readonly TemplateMessage[] {
  const names = new Map<string, string>();
  return messages.map((message, index): TemplateMessage => {
    const content = contentOf(message, index);
    switch (message.role) {
      case 'developer':
      case 'system':
        return { role: 'system', content };
      case 'tool': {
        const name = names.get(message.tool_call_id);
        if (!supportsTools) return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` };
        return { role: 'tool', content, tool_call_id: message.tool_call_id, ...(name !== undefined && { name }) };
      }
      case 'assistant': {
        const calls = message.tool_calls ?? [];
        for (const call of calls) names.set(call.id, callOf(call).name);
        const { reasoning_content: reasoning } = message;
        const reasoned = { role: 'assistant', content, ...(reasoning && { reasoning_content: reasoning }) } as const;
        if (calls.length === 0) return reasoned;
        if (!supportsTools)
          return { role: 'assistant', content: [content, ...calls.map(formatCall)].join('\n').trim() };
        const tool_calls = calls.map((call) => {
          const { name, input } = callOf(call);
          return { id: call.id, type: 'function', function: { name, arguments: input } } as const;
        });
        return { ...reasoned, tool_calls };
      }
      case 'function':
        return { role: 'user', content };
      case 'user':
        return { role: 'user', content };
    }
  });
}

function contentOf(message: ChatCompletionMessageParam, index: number): string {
  const { content } = message;
  const text =
    content === undefined || content === null
      ? message.role === 'assistant'
        ? (message.refusal ?? '')
        : ''
      : typeof content === 'string'
        ? content
        : content.map((part, at) => partText(part, `messages[${index}].content[${at}]`)).join('\n');
  if (message.role === 'assistant' && message.audio) {
    throw unsupported(`messages[${index}].audio`, 'This model supports text only.');
  }
  // Templates do not support names of participants.
  const name = message.role === 'tool' || message.role === 'function' ? undefined : message.name;
  return name === undefined ? text : `${name}: ${text}`;
}

function partText(part: { readonly type: string }, param: string): string {
  if ('text' in part && typeof part.text === 'string') return part.text;
  if ('refusal' in part && typeof part.refusal === 'string') return part.refusal;
  throw unsupported(param, 'This model supports text only.');
}

/** Instructions for tools, for a model whose template has no tool support. */
export function toolInstructions(tools: readonly ChatCompletionTool[]): string {
  const list = tools.map((tool) => JSON.stringify(toolSignature(tool))).join('\n');
  return `You may call these tools:\n${list}\n\nTo call one, write exactly this, once for each call, and nothing after it:\n${toolCallStart}\n{"name": "the tool's name", "arguments": {its arguments}}\n</tool_call>`;
}

/** Instructions for a JSON reply: the schema with its name and description. */
export function formatInstructions(format: ResponseFormat): string | undefined {
  if (format.type !== 'json_schema') return undefined;
  const { name, description, schema } = format.json_schema;
  const parenthesized = description === undefined ? '' : ` (${description})`;
  return `Answer with one JSON value, ${JSON.stringify(name)}${parenthesized}, that follows this JSON Schema:\n${JSON.stringify(schema ?? {})}`;
}

/** Adds instructions to the system message at the start of the conversation. */
export function withInstructions(
  instructions: string,
  messages: readonly TemplateMessage[],
): readonly TemplateMessage[] {
  const [first, ...others] = messages;
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${instructions}` }, ...others]
    : [{ role: 'system', content: instructions }, ...messages];
}

/** Converts messages for templates without a system role, or with strictly alternating user and assistant messages. */
export function alternateTurns(messages: readonly TemplateMessage[]): readonly TemplateMessage[] {
  const turns: TemplateMessage[] = [];
  for (const message of messages) {
    const role = message.role === 'system' ? 'user' : message.role;
    const last = turns.at(-1);
    if (last?.role === role && !last.tool_calls && !message.tool_calls) {
      turns[turns.length - 1] = { role, content: `${last.content}\n\n${message.content}` };
    } else turns.push({ ...message, role });
  }
  return turns;
}
