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
import { unsupported, unsupportedValue } from '../../errors.ts';
import type { ServerContext } from '../../context.ts';
import type { Generation } from '../../generation/generation.ts';

/** Refuses `store` where nothing is kept, and what cannot be (interface: `store` supports text and image inputs). */
export function admitStore(wire: ChatCompletionCreateParams, { options }: ServerContext): void {
  if (!wire.store) {
    if (!wire.metadata || Object.keys(wire.metadata).length === 0) return;
    throw unsupported(
      'metadata',
      "Unsupported parameter: 'metadata' is kept with stored completions: set 'store' to true.",
    );
  }
  if (!options.stores) {
    throw unsupported('store', "Unsupported parameter: 'store' is not supported: this server keeps no completions.");
  }
  for (const [index, { content }] of wire.messages.entries()) {
    if (!Array.isArray(content)) continue;
    const parts = content as readonly ChatCompletionContentPart[];
    const at = parts.findIndex(({ type }) => type === 'input_audio' || type === 'file');
    if (at === -1) continue;
    const path = `messages[${index}].content[${at}].type`;
    throw unsupportedValue(path, `Unsupported value: '${path}' cannot be kept with 'store': it keeps text and images.`);
  }
}

/** Keeps a completion with what was asked (interface: Chat completion object, stored). Resolves when it is there to stay. */
export function keep({ call, server, head }: Generation, completion: ChatCompletion): Promise<void> {
  const wire = call.body;
  const completions = server.options.stores?.project(call.principal.project).completions;
  if (!completions) throw new Error('store was admitted without stores');
  return completions.append({
    completion: {
      ...completion,
      request_id: call.requestId,
      tool_choice: wire.tool_choice ?? null,
      seed: typeof wire.seed === 'bigint' ? String(wire.seed) : (wire.seed ?? null),
      top_p: wire.top_p ?? 1,
      temperature: wire.temperature ?? 1,
      presence_penalty: wire.presence_penalty ?? 0,
      frequency_penalty: wire.frequency_penalty ?? 0,
      input_user: wire.user ?? null,
      tools: wire.tools ? [...wire.tools] : null,
      metadata: wire.metadata ?? {},
      response_format: wire.response_format ?? null,
      request_parameters: otherParameters(wire),
    },
    messages: [...wire.messages, ...completion.choices.map(({ message }) => message)].map((message, index) =>
      storedMessage(message, `${head.id}-${index}`),
    ),
  });
}

/** The model of a request, and its parameters that a stored completion has no field for. */
function otherParameters(wire: ChatCompletionCreateParams): Record<string, unknown> {
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
    // How the reply was delivered.
    store: _store,
    stream: _stream,
    stream_options: _streamOptions,
    ...others
  } = wire;
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
    content_parts: parts ? keptParts(parts) : null,
  };
}

function keptParts(parts: readonly ChatCompletionContentPart[]): ChatCompletionStoredMessage['content_parts'] {
  return parts.filter(
    (part): part is ChatCompletionContentPartText | ChatCompletionContentPartImage =>
      part.type === 'text' || (part.type === 'image_url' && imageBytes(part.image_url.url) <= STORED_IMAGE_MAX_BYTES),
  );
}

/** Size of an image that came in the request; one behind an address has none here. */
function imageBytes(url: string): number {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1;
  if (comma === -1) return 0;
  const padding = url.endsWith('==') ? 2 : url.endsWith('=') ? 1 : 0;
  return Math.floor(((url.length - comma - 1) * 3) / 4) - padding;
}
