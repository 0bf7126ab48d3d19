import { STORED_IMAGE_MAX_BYTES } from '@modelwire/schema';
import type {
  ChatCompletion,
  ChatCompletionContentPart,
  ChatCompletionContentPartImage,
  ChatCompletionContentPartText,
  ChatCompletionCreateParams,
  ChatCompletionMessage,
  ChatCompletionMessageParam,
  ChatCompletionStoredMessage,
} from '@modelwire/schema/types';
import type { Generation } from '../../generation/generation.ts';

/** Stores a completion with its request (API: Chat completion object, stored). Resolves when it is durable. */
export function storeCompletion({ call, server, metadata }: Generation, completion: ChatCompletion): Promise<void> {
  const requestBody = call.body;
  const completions = server.options.stores?.project(call.principal.project).completions;
  if (!completions) throw new Error('the completion cannot be stored: the server has no stores');
  return completions.append({
    completion: {
      ...completion,
      request_id: call.requestId,
      tool_choice: requestBody.tool_choice ?? null,
      seed: typeof requestBody.seed === 'bigint' ? String(requestBody.seed) : (requestBody.seed ?? null),
      top_p: requestBody.top_p ?? 1,
      temperature: requestBody.temperature ?? 1,
      presence_penalty: requestBody.presence_penalty ?? 0,
      frequency_penalty: requestBody.frequency_penalty ?? 0,
      input_user: requestBody.user ?? null,
      tools: requestBody.tools ? [...requestBody.tools] : null,
      metadata: requestBody.metadata ?? {},
      response_format: requestBody.response_format ?? null,
      request_parameters: otherParameters(requestBody),
    },
    messages: [...requestBody.messages, ...completion.choices.map(({ message }) => message)].map((message, index) =>
      storedMessage(message, `${metadata.id}-${index}`),
    ),
  });
}

/** The model of a request, and its parameters that a stored completion has no field for. */
function otherParameters(requestBody: ChatCompletionCreateParams): Record<string, unknown> {
  const {
    // Fields of the completion, and its messages.
    messages: _messages,
    tools: _tools,
    tool_choice: _toolChoice,
    response_format: _format,
    seed: _seed,
    temperature: _temperature,
    top_p: _topP,
    presence_penalty: _presence,
    frequency_penalty: _frequency,
    user: _user,
    metadata: _metadata,
    // Parameters of the delivery.
    store: _store,
    stream: _stream,
    stream_options: _streamOptions,
    ...others
  } = requestBody;
  return others;
}

/**
 * A message of the request or of the reply as Get chat messages returns it: a text stays `content`, parts are `content_parts`
 * (decision 0011).
 */
function storedMessage(
  message: ChatCompletionMessageParam | ChatCompletionMessage,
  id: string,
): ChatCompletionStoredMessage {
  const { content = null, ...rest } = message;
  const parts =
    typeof content === 'string' || content === null ? undefined : (content as readonly ChatCompletionContentPart[]);
  const texts = parts?.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    ...(rest as Omit<ChatCompletionStoredMessage, 'id' | 'content'>),
    id,
    content: parts ? (texts && texts.length > 0 ? texts.join('') : null) : (content as string | null),
    refusal: ('refusal' in message ? message.refusal : null) ?? null,
    name: ('name' in message ? message.name : null) ?? null,
    content_parts: parts ? storedParts(parts) : null,
  };
}

function storedParts(parts: readonly ChatCompletionContentPart[]): ChatCompletionStoredMessage['content_parts'] {
  return parts.filter(
    (part): part is ChatCompletionContentPartText | ChatCompletionContentPartImage =>
      part.type === 'text' || (part.type === 'image_url' && imageBytes(part.image_url.url) <= STORED_IMAGE_MAX_BYTES),
  );
}

/** Bytes of an image in a data URL; 0 for an image at another URL. */
function imageBytes(url: string): number {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
  if (comma === -1) return 0;
  const padding = url.endsWith('==') ? 2 : url.endsWith('=') ? 1 : 0;
  return Math.floor(((url.length - comma - 1) * 3) / 4) - padding;
}
