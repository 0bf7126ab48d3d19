import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from '@modelwire/schema/types';
import type { ChatModel } from '@modelwire/ports';

/**
 * The request without `provider_metadata` of assistant messages where the engine does not take it: upstreams refuse fields that they do not
 * know. A request without it is the same object.
 */
export function withoutProviderMetadata(
  wire: ChatCompletionCreateParams,
  { capabilities }: ChatModel,
): ChatCompletionCreateParams {
  if (capabilities.provider_metadata || !wire.messages.some(hasMetadata)) return wire;
  return { ...wire, messages: wire.messages.map(withoutMetadata) };
}

function hasMetadata(message: ChatCompletionMessageParam): boolean {
  return message.role === 'assistant' && message.provider_metadata !== undefined;
}

function withoutMetadata(message: ChatCompletionMessageParam): ChatCompletionMessageParam {
  if (message.role !== 'assistant') return message;
  const { provider_metadata: _removed, ...rest } = message;
  return rest;
}
