import type { ChatCompletionMessageParam, ChatCompletionStoredMessage, StoredChatCompletion } from '@modelwire/client';

/** The request of a stored completion. */
export interface StoredRequest {
  readonly model: string;
  readonly messages: readonly ChatCompletionMessageParam[];
  readonly [parameter: string]: unknown;
}

/**
 * Rebuilds the request that created a completion from its `request_parameters` and all of its messages. Parameters with default values
 * are omitted, since some models refuse them.
 */
export function buildStoredRequest(
  completion: StoredChatCompletion,
  messages: readonly ChatCompletionStoredMessage[],
): StoredRequest {
  const { model: requestedModel, ...others } = completion.request_parameters ?? {};
  const { tools, tool_choice, response_format, seed, metadata, input_user: user } = completion;
  const optional = {
    n: unlessDefault(1, completion.choices.length),
    ...others,
    tools: tools && tools.length > 0 ? tools : undefined,
    tool_choice,
    response_format,
    seed,
    temperature: unlessDefault(1, completion.temperature),
    top_p: unlessDefault(1, completion.top_p),
    presence_penalty: unlessDefault(0, completion.presence_penalty),
    frequency_penalty: unlessDefault(0, completion.frequency_penalty),
    user,
    store: true,
    metadata: metadata && Object.keys(metadata).length > 0 ? metadata : undefined,
  };
  const parameters = Object.fromEntries(
    Object.entries(optional).filter(([, value]) => value !== undefined && value !== null),
  );
  return {
    ...parameters,
    model: typeof requestedModel === 'string' ? requestedModel : completion.model,
    messages: requestMessages(completion, messages).map(toMessageParam),
  };
}

function unlessDefault(defaultValue: number, value: number | null | undefined): number | null | undefined {
  return value === defaultValue ? undefined : value;
}

/** The messages without the replies, which come last. */
export function requestMessages(
  { choices }: Pick<StoredChatCompletion, 'choices'>,
  messages: readonly ChatCompletionStoredMessage[],
): readonly ChatCompletionStoredMessage[] {
  return messages.slice(0, messages.length - choices.length);
}

/** Converts a stored message to a message of a request. */
export function toMessageParam(message: ChatCompletionStoredMessage): ChatCompletionMessageParam {
  const { role, content, refusal, content_parts, tool_calls, function_call } = message;
  const name = message.name ? { name: message.name } : {};
  const parts = content_parts && content_parts.length > 0 ? content_parts : undefined;
  const texts = parts?.flatMap((part) => (part.type === 'text' ? [part] : []));
  switch (role) {
    case 'assistant':
      return {
        role: 'assistant',
        content: texts ?? content,
        ...name,
        ...(refusal && { refusal }),
        ...(tool_calls && { tool_calls }),
        ...(function_call && { function_call }),
      };
    case 'tool':
      return { role: 'tool', content: texts ?? content ?? '', tool_call_id: message.tool_call_id ?? '' };
    case 'function':
      return { role: 'function', content, name: message.name ?? '' };
    case 'system':
      return { role: 'system', content: texts ?? content ?? '', ...name };
    case 'developer':
      return { role: 'developer', content: texts ?? content ?? '', ...name };
    default:
      return { role: 'user', content: parts ?? content ?? '', ...name };
  }
}
