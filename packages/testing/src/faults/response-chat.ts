import type {
  ChatCompletionCreateParams,
  ChatCompletionMessageParam,
  ResponseCreateParams,
  ResponseInputItem,
  ResponseTool,
} from '@modelwire/schema/types';

/**
 * A request for a response as a chat request, for the conditions of faults: instructions, messages, calls and their outputs as text, and tools.
 * Earlier turns (`previous_response_id`, `conversation`) are not included.
 */
export function chatOfResponse(body: ResponseCreateParams): ChatCompletionCreateParams {
  const { model, instructions, input = [], tools = [], stream, text } = body;
  const items: readonly ResponseInputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const system: readonly ChatCompletionMessageParam[] =
    instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  const format = text?.format?.type;
  return {
    model,
    messages: [...system, ...items.flatMap(messageOf)],
    tools: tools.flatMap(toolOf),
    ...(stream !== undefined && { stream }),
    ...(format === 'json_object' && { response_format: { type: format } }),
    ...(text?.format?.type === 'json_schema' && {
      response_format: { type: 'json_schema', json_schema: { name: text.format.name, schema: text.format.schema } },
    }),
  };
}

function messageOf(item: ResponseInputItem): readonly ChatCompletionMessageParam[] {
  switch (item.type) {
    case undefined:
    case 'message':
      return [{ role: item.role, content: textOf(item.content) }];
    case 'function_call': {
      const call = { name: item.name, arguments: item.arguments };
      return [{ role: 'assistant', tool_calls: [{ id: item.call_id, type: 'function', function: call }] }];
    }
    case 'custom_tool_call': {
      const call = { name: item.name, input: item.input };
      return [{ role: 'assistant', tool_calls: [{ id: item.call_id, type: 'custom', custom: call }] }];
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'tool', tool_call_id: item.call_id, content: textOf(item.output) }];
    default:
      return [];
  }
}

function textOf(content: string | readonly object[]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => ('text' in part && typeof part.text === 'string' ? part.text : '')).join('');
}

function toolOf(tool: ResponseTool): NonNullable<ChatCompletionCreateParams['tools']> {
  if (!('name' in tool) || typeof tool.name !== 'string') return [];
  if (tool.type === 'function') return [{ type: 'function', function: { name: tool.name } }];
  return tool.type === 'custom' ? [{ type: 'custom', custom: { name: tool.name } }] : [];
}
