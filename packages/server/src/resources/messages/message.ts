import type { CompletionUsage, Message, MessageStreamEvent, MessageUsage, ServiceTier } from '@modelwire/schema/types';

/** A message without content, which has not ended. */
export function emptyMessage(id: string, model: string): Omit<Message, 'usage'> {
  return {
    id,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
  };
}

/** Input tokens do not include those that caches read and wrote. */
export function messageUsage(usage: CompletionUsage): Omit<MessageUsage, 'service_tier'> {
  const read = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const written = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
  const thinking = usage.completion_tokens_details?.reasoning_tokens;
  return {
    input_tokens: Math.max(0, usage.prompt_tokens - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: usage.completion_tokens,
    output_tokens_details: thinking === undefined ? null : { thinking_tokens: thinking },
  };
}

export function messageTier(tier: ServiceTier, isBatch: boolean): MessageUsage['service_tier'] {
  if (isBatch) return 'batch';
  return tier === 'priority' ? 'priority' : 'standard';
}

type MessageOutcome = Extract<MessageStreamEvent, { readonly type: 'message_delta' }>['delta'];

/** @param reason Why the chat reply ended. @param stoppedBy The stop sequence that ended it. */
export function messageOutcome(reason: string, stoppedBy: string | undefined): MessageOutcome {
  const isRefusal = reason === 'content_filter';
  return {
    stop_reason: stoppedBy === undefined ? stopReason(reason) : 'stop_sequence',
    stop_sequence: stoppedBy ?? null,
    stop_details: isRefusal ? { type: 'refusal', category: null, explanation: null } : null,
  };
}

function stopReason(reason: string): string {
  switch (reason) {
    case 'length':
      return 'max_tokens';
    case 'tool_calls':
      return 'tool_use';
    case 'content_filter':
      return 'refusal';
    default:
      return 'end_turn';
  }
}
