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
  readonly #isJudged: boolean;
  #usage: Fields = {};
  #hasFinished = false;

  /** @param isJudged Whether the reply is moderated: then the events also have what a chat has no form for, so that it is. */
  constructor(isJudged: boolean) {
    this.#isJudged = isJudged;
  }

  toChatEvents(event: NativeMessageEvent): readonly ChatEvent[] {
    const { index, content_block: block, delta, message } = event;
    switch (event.type) {
      case 'message':
        return this.#whole(event);
      case 'message_start':
        // Its tokens of the reply are not those of the end.
        return isRecord(message)
          ? [...this.#others('message', message), ...this.#usageEvents({ ...usageIn(message), output_tokens: 0 })]
          : [];
      case 'content_block_start':
        return isRecord(block) ? this.#block(index, block) : [];
      case 'content_block_delta':
        return isRecord(delta) ? this.#delta(index, delta) : [];
      case 'message_delta':
        return [
          ...(isRecord(delta) ? this.#others('message', delta) : []),
          ...this.#usageEvents(usageIn(event)),
          ...(isRecord(delta) ? this.#finish(delta) : []),
        ];
      case 'content_block_stop':
      case 'message_stop':
        return [];
      default:
        return this.#untranslated('event', event);
    }
  }

  #whole(message: Fields): readonly ChatEvent[] {
    const { content } = message;
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
    return [
      ...this.#others('message', message),
      ...blocks.flatMap((block, index) => (isRecord(block) ? this.#block(index, block) : [])),
      ...this.#usageEvents(usageIn(message)),
      ...this.#finish(message),
    ];
  }

  /** A block of a stream begins without its content. */
  #block(position: unknown, block: Fields): readonly ChatEvent[] {
    const { type, id, name, text, thinking, input } = block;
    const others = this.#others(`block_${String(position)}`, block);
    if (type === 'text') return [...textEvents(text), ...others];
    if (type === 'thinking') return [...reasoningEvents(thinking), ...others];
    if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string')
      return this.#untranslated(`block_${String(position)}`, block);
    const index = this.#calls.size;
    this.#calls.set(position, index);
    const call: ChatEvent = { type: 'tool_call', choice, index, id, kind: 'function', name };
    const hasInput = isRecord(input) && Object.keys(input).length > 0;
    return [call, ...(hasInput ? this.#inputEvents(position, JSON.stringify(input)) : []), ...others];
  }

  #delta(position: unknown, delta: Fields): readonly ChatEvent[] {
    const others = this.#others(`block_${String(position)}`, delta);
    switch (delta['type']) {
      case 'text_delta':
        return [...textEvents(delta['text']), ...others];
      case 'thinking_delta':
        return [...reasoningEvents(delta['thinking']), ...others];
      case 'input_json_delta':
        return [...this.#inputEvents(position, delta['partial_json']), ...others];
      case 'signature_delta':
        return others;
      default:
        return this.#untranslated(`block_${String(position)}`, delta);
    }
  }

  /** The members that a chat has no form for, of a block or a message that has one. */
  #others(name: string, fields: Fields): readonly ChatEvent[] {
    const others = Object.entries(fields).filter(([member]) => !translatedMembers.has(member));
    return this.#isJudged && others.length > 0 ? [extra({ [name]: Object.fromEntries(others) })] : [];
  }

  /** What a chat has no form for, such as the call of a tool that a hosted service runs. */
  #untranslated(name: string, fields: Fields): readonly ChatEvent[] {
    return [extra(this.#isJudged ? { [name]: fields } : {})];
  }

  #inputEvents(position: unknown, text: unknown): readonly ChatEvent[] {
    const index = this.#calls.get(position);
    if (typeof text !== 'string') return [];
    if (index === undefined) return this.#untranslated(`block_${String(position)}`, { input: text });
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

/** Members that chat events have, and those without text of the model. */
const translatedMembers: ReadonlySet<string> = new Set([
  ...['type', 'id', 'role', 'model', 'content', 'usage', 'stop_reason', 'stop_sequence', 'text', 'thinking'],
  ...['signature', 'name', 'input', 'partial_json'],
]);

function extra(delta: Fields): ChatEvent {
  return { type: 'extra', choice, delta };
}

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
