import { isRecord, isTokenCount, readTokenCounts } from '@modelwire/adapter-kit';
import type { ChatEvent, NativeMessageEvent } from '@modelwire/ports';
import type { CompletionUsage, FinishReason } from '@modelwire/schema/types';
import { estimateTextTokens } from '../../admission/prompt-tokens.ts';

type Fields = Readonly<Record<string, unknown>>;

const choice = 0;
const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/** Converts the events of a message to chat events: text, reasoning, calls of the client's tools, usage and how it ended. */
export class NativeChatEvents {
  /** Positions of the calls by the index of their blocks. */
  readonly #calls = new Map<unknown, number>();
  #usage: Fields = {};
  #hasFinished = false;

  of(event: NativeMessageEvent): readonly ChatEvent[] {
    const { index, content_block: block, delta, message } = event;
    switch (event.type) {
      case 'message':
        return this.#whole(event);
      case 'message_start':
        // Its tokens of the reply are not those of the end.
        return isRecord(message) ? this.#usageEvents({ ...usageIn(message), output_tokens: 0 }) : [];
      case 'content_block_start':
        return isRecord(block) ? this.#block(index, block) : [];
      case 'content_block_delta':
        return isRecord(delta) ? this.#delta(index, delta) : [];
      case 'message_delta':
        return [...this.#usageEvents(usageIn(event)), ...(isRecord(delta) ? this.#finish(delta) : [])];
      default:
        return [];
    }
  }

  #whole(message: Fields): readonly ChatEvent[] {
    const { content } = message;
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    return [
      ...blocks.flatMap((block, index) => (isRecord(block) ? this.#block(index, block) : [])),
      ...this.#usageEvents(usageIn(message)),
      ...this.#finish({ ...message, stop_reason: message['stop_reason'] ?? 'end_turn' }),
    ];
  }

  /** A block of a stream begins without its content. */
  #block(position: unknown, { type, id, name, text, thinking, input }: Fields): readonly ChatEvent[] {
    if (type === 'text') return textEvents(text);
    if (type === 'thinking') return reasoningEvents(thinking);
    if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string') return [other];
    const index = this.#calls.size;
    this.#calls.set(position, index);
    const call: ChatEvent = { type: 'tool_call', choice, index, id, kind: 'function', name };
    const hasInput = isRecord(input) && Object.keys(input).length > 0;
    return hasInput ? [call, ...this.#inputEvents(position, JSON.stringify(input))] : [call];
  }

  #delta(position: unknown, { type, text, thinking, partial_json: input }: Fields): readonly ChatEvent[] {
    switch (type) {
      case 'text_delta':
        return textEvents(text);
      case 'thinking_delta':
        return reasoningEvents(thinking);
      case 'input_json_delta':
        return this.#inputEvents(position, input);
      default:
        return [other];
    }
  }

  #inputEvents(position: unknown, text: unknown): readonly ChatEvent[] {
    const index = this.#calls.get(position);
    if (index === undefined || typeof text !== 'string') return [other];
    return [{ type: 'tool_input', choice, index, kind: 'function', text, tokens: estimateTextTokens(text) }];
  }

  /** Later numbers replace earlier ones. */
  #usageEvents(reported: Fields): readonly ChatEvent[] {
    const counts = Object.entries(reported).filter(([, value]) => value !== null);
    this.#usage = { ...this.#usage, ...Object.fromEntries(counts) };
    const usage = completionUsage(this.#usage);
    const { service_tier: tier } = this.#usage;
    return [
      ...(usage ? [{ type: 'usage', usage } as const] : []),
      ...(tier === 'priority' ? [{ type: 'meta', service_tier: tier } as const] : []),
    ];
  }

  #finish({ stop_reason: reason, stop_sequence: stoppedBy }: Fields): readonly ChatEvent[] {
    if (this.#hasFinished || typeof reason !== 'string') return [];
    this.#hasFinished = true;
    const stopped = typeof stoppedBy === 'string' && { stoppedBy };
    return [{ type: 'finish', choice, reason: finishReasons.get(reason) ?? 'stop', ...stopped }];
  }
}

/** What a chat has no form for, such as the call of a tool that a hosted service runs. */
const other: ChatEvent = { type: 'extra', choice, delta: {} };

function textEvents(text: unknown): readonly ChatEvent[] {
  if (typeof text !== 'string' || text === '') return [];
  return [{ type: 'text', choice, text, tokens: estimateTextTokens(text) }];
}

function reasoningEvents(text: unknown): readonly ChatEvent[] {
  return typeof text === 'string' && text !== '' ? [{ type: 'extra', choice, delta: { reasoning_content: text } }] : [];
}

function usageIn({ usage }: Fields): Fields {
  return isRecord(usage) ? usage : {};
}

function completionUsage(fields: Fields): CompletionUsage | undefined {
  const usage = readTokenCounts(fields);
  const {
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens_details: details,
  } = fields;
  const thinking = isRecord(details) ? details['thinking_tokens'] : undefined;
  return (
    usage && {
      ...usage,
      prompt_tokens_details: { cached_tokens: countOf(read), cache_write_tokens: countOf(written) },
      ...(isTokenCount(thinking) && { completion_tokens_details: { reasoning_tokens: thinking } }),
    }
  );
}

function countOf(value: unknown): number {
  return isTokenCount(value) ? value : 0;
}
