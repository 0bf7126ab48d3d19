import type {
  ChatCompletionMessageParam,
  ChatCompletionTool,
  ChatCompletionToolCall,
  ResponseFormat,
} from '@modelwire/schema/types';
import { guardBody } from '@modelwire/schema';
import { unsupported } from '@modelwire/ports';
import type { TemplateMessage } from './template.ts';

/** A tool as models know it. A custom tool is a function with one string parameter. */
export function toolSignature(tool: ChatCompletionTool): Readonly<Record<string, unknown>> {
  if (tool.type === 'function') {
    const { name, description = '', parameters = { type: 'object', properties: {} } } = tool.function;
    return { type: 'function', function: { name, description, parameters } };
  }
  const { name, description = '', format } = tool.custom;
  const about =
    format?.type === 'grammar'
      ? `${description}\nThe input follows this ${format.grammar.syntax} grammar:\n${format.grammar.definition}`.trim()
      : description;
  const parameters = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };
  return { type: 'function', function: { name, description: about, parameters } };
}

/** The syntax of a tool call: that of most model families, and of the instructions for other models. */
export const toolCallStart = '<tool_call>';

function written(call: ChatCompletionToolCall): string {
  const { name, input } = callOf(call);
  return `${toolCallStart}\n{"name": ${JSON.stringify(name)}, "arguments": ${JSON.stringify(input)}}\n</tool_call>`;
}

function callOf(call: ChatCompletionToolCall): { readonly name: string; readonly input: unknown } {
  if (call.type === 'custom') return { name: call.custom.name, input: { input: call.custom.input } };
  return { name: call.function.name, input: parsedOr(call.function.arguments) };
}

/** Arguments in requests can be any text. */
function parsedOr(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Templates and JSON.stringify are recursive.
    return guardBody(value).problem ? text : value;
  } catch {
    return text;
  }
}

/** Converts the conversation to messages of the template; with `tools`, for a template with tool support. */
export function templateMessages(
  messages: readonly ChatCompletionMessageParam[],
  takesTools: boolean,
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
        if (!takesTools) return { role: 'user', content: `<tool_response>\n${content}\n</tool_response>` };
        return { role: 'tool', content, tool_call_id: message.tool_call_id, ...(name !== undefined && { name }) };
      }
      case 'assistant': {
        const calls = message.tool_calls ?? [];
        for (const call of calls) names.set(call.id, callOf(call).name);
        if (calls.length === 0) return { role: 'assistant', content };
        if (!takesTools) return { role: 'assistant', content: [content, ...calls.map(written)].join('\n').trim() };
        const tool_calls = calls.map((call) => {
          const { name, input } = callOf(call);
          return { id: call.id, type: 'function', function: { name, arguments: input } } as const;
        });
        return { role: 'assistant', content, tool_calls };
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
  const said =
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
  // Templates do not support it.
  const name = message.role === 'tool' || message.role === 'function' ? undefined : message.name;
  return name === undefined ? said : `${name}: ${said}`;
}

function partText(part: { readonly type: string }, where: string): string {
  if ('text' in part && typeof part.text === 'string') return part.text;
  if ('refusal' in part && typeof part.refusal === 'string') return part.refusal;
  throw unsupported(where, 'This model supports text only.');
}

/** Instructions about tools for a model whose template has no tool support. */
export function toolInstructions(tools: readonly ChatCompletionTool[]): string {
  const list = tools.map((tool) => JSON.stringify(toolSignature(tool))).join('\n');
  return `You may call these tools:\n${list}\n\nTo call one, write exactly this, once for each call, and nothing after it:\n${toolCallStart}\n{"name": "the tool's name", "arguments": {its arguments}}\n</tool_call>`;
}

/** Instructions about the JSON of the reply: the schema with its name and description. */
export function formatInstructions(format: ResponseFormat): string | undefined {
  if (format.type !== 'json_schema') return undefined;
  const { name, description, schema } = format.json_schema;
  const about = description === undefined ? '' : ` (${description})`;
  return `Answer with one JSON value, ${JSON.stringify(name)}${about}, that follows this JSON Schema:\n${JSON.stringify(schema ?? {})}`;
}

/** The instructions before the conversation. */
export function withInstructions(
  instructions: string,
  messages: readonly TemplateMessage[],
): readonly TemplateMessage[] {
  const [first, ...others] = messages;
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${instructions}` }, ...others]
    : [{ role: 'system', content: instructions }, ...messages];
}

/** For templates without a system role, or with strict alternation of user and assistant: converts the messages accordingly. */
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
