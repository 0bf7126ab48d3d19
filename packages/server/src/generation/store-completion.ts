import { excerptOf } from '@modelwire/ports/internal';
import type { CompletionRecord } from '@modelwire/ports';
import { STORED_IMAGE_MAX_BYTES } from '@modelwire/schema';
import { isDataUrl } from '@modelwire/schema/internal';
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
import { unsupportedValue } from '../errors.ts';
import { inlineByteLength } from '../media/data-url.ts';
import type { Generation } from './generate.ts';

/** Refuses inputs that cannot be stored (API: `store` supports text and image inputs). */
export function assertStorable(body: ChatCompletionCreateParams): void {
  const path = unstorableInput(body);
  if (path === undefined) return;
  throw unsupportedValue(path, `Unsupported value: '${path}' cannot be stored: 'store' supports text and images.`);
}

/** The path of the type of the first input that cannot be stored; undefined if there is none. */
export function unstorableInput(body: ChatCompletionCreateParams): string | undefined {
  for (const [index, { content }] of body.messages.entries()) {
    if (!Array.isArray(content)) continue;
    const parts = content as readonly ChatCompletionContentPart[];
    const at = parts.findIndex(({ type }) => type === 'input_audio' || type === 'file');
    if (at !== -1) return `messages[${index}].content[${at}].type`;
  }
  return undefined;
}

/** Stores a completion with its request (API: Chat completion object, stored). Resolves when it is durable. */
export async function storeCompletion(generation: Generation, completion: ChatCompletion): Promise<void> {
  const { call, body, server, metadata } = generation;
  const completions = server.options.stores?.project(call.principal.project).completions;
  if (!completions) throw new Error('the completion cannot be stored: the server has no stores');
  const record: CompletionRecord = {
    completion: {
      ...completion,
      request_id: call.requestId,
      api_key_id: call.principal.keyId,
      ...measuresOf(generation),
      prompt_excerpt: excerptOf(promptText(body)),
      tool_choice: body.tool_choice ?? null,
      seed: typeof body.seed === 'bigint' ? String(body.seed) : (body.seed ?? null),
      top_p: body.top_p ?? 1,
      temperature: body.temperature ?? 1,
      presence_penalty: body.presence_penalty ?? 0,
      frequency_penalty: body.frequency_penalty ?? 0,
      input_user: body.user ?? null,
      tools: body.tools ? [...body.tools] : null,
      metadata: body.metadata ?? {},
      response_format: body.response_format ?? null,
      request_parameters: otherParameters(body),
    },
    messages: [...body.messages, ...completion.choices.map(({ message }) => message)].map((message, index) =>
      storedMessage(message, `${metadata.id}-${index}`),
    ),
  };
  await server.storageQuota.write(call.principal, (limit) => completions.append(record, limit));
  call.logRecord.completion = completion.id;
}

/** How long the generation took so far, and what it cost. */
function measuresOf({ call, server, resolvedModel, accountant }: Generation) {
  const { firstTokenAt, current } = accountant;
  const { costOf, currency } = server.prices;
  const costMicros = costOf(resolvedModel.model.id, current);
  return {
    duration_ms: Math.round(performance.now() - call.startedAt),
    first_token_ms: firstTokenAt === undefined ? null : Math.round(firstTokenAt - call.startedAt),
    cost: costMicros === undefined ? null : { value: costMicros / 1e6, currency },
  };
}

/** The text of the last message of the user. */
function promptText({ messages }: ChatCompletionCreateParams): string | null {
  const content = messages.findLast(({ role }) => role === 'user')?.content ?? null;
  if (typeof content === 'string' || content === null) return content;
  const parts = content as readonly ChatCompletionContentPart[];
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

/** The model of a request, and its parameters that a stored completion has no field for. */
function otherParameters(body: ChatCompletionCreateParams): Record<string, unknown> {
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
  } = body;
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
  return isDataUrl(url) ? inlineByteLength(url) : 0;
}
