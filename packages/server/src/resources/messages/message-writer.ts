import type { Message, MessageCreateParams, MessageStreamEvent, MessageUsage } from '@modelwire/schema/types';
import type { NativeMessageEvent } from '@modelwire/ports';
import type { Call } from '../../call.ts';
import type { ServerContext } from '../../context.ts';
import type { Generation } from '../../generation/generate.ts';
import type { ReplyEvent } from '../../streaming/events.ts';
import type { RelayedMessage } from '../../streaming/relay.ts';
import { MessageContent } from './message-content.ts';
import { emptyMessage, messageOutcome, messageTier, messageUsage } from './message.ts';

/** Called with each event of the stream. */
export type EmitMessageEvent = (event: MessageStreamEvent | NativeMessageEvent) => void;

export interface MessageWriterInit {
  readonly call: Call<MessageCreateParams>;
  readonly server: ServerContext;
  readonly generation: Generation;
  readonly emit: EmitMessageEvent;
}

/** Makes a message from the events of its generation. */
export interface MessageWriter {
  add(events: readonly ReplyEvent[]): void;
  /** Ends the content. @throws a 502 for a complete call whose input is no JSON object. */
  endContent(): void;
  /** Emits the last events and returns the message. */
  end(): Message | RelayedMessage;
}

/** The ID of a message is that of its completion with another prefix. */
export function headOf({ generation: { metadata }, call }: MessageWriterInit): Pick<Message, 'id' | 'model'> {
  return { id: metadata.id.replace(/^chatcmpl-/, 'msg_'), model: call.body.model };
}

export function usageOf({ generation: { accountant, metadata }, call }: MessageWriterInit): MessageUsage {
  const service_tier = messageTier(accountant.tier ?? metadata.service_tier, call.batchLine !== undefined);
  return { ...messageUsage(accountant.current), service_tier };
}

/** Writes the blocks of a message from chat events. */
export class GeneratedMessage implements MessageWriter {
  readonly #init: MessageWriterInit;
  readonly #content: MessageContent;
  #isOpen = false;
  #stoppedBy: string | undefined;

  constructor(init: MessageWriterInit) {
    const { call, server, emit } = init;
    const { thinking } = call.body;
    const display = thinking && 'display' in thinking ? thinking.display : undefined;
    this.#init = init;
    this.#content = new MessageContent({
      emit,
      createId: server.createId,
      reasoning: thinking?.type === 'disabled' ? 'hidden' : display === 'omitted' ? 'omitted' : 'shown',
    });
  }

  add(events: readonly ReplyEvent[]): void {
    if (!this.#isOpen) this.#init.emit({ type: 'message_start', message: this.#message() });
    this.#isOpen = true;
    for (const event of events) {
      if (event.type === 'finish') this.#stoppedBy = event.stoppedBy;
      else if (event.type === 'function_call' || event.type === 'audio' || event.type === 'echo') continue;
      // The request only reads the prompt.
      else if (this.#init.call.body.max_tokens > 0) this.#content.add(event);
    }
  }

  endContent(): void {
    const reason = this.#reason();
    this.#content.end(reason === 'length' || reason === 'content_filter' ? 'incomplete' : 'completed');
  }

  end(): Message {
    const { emit, generation } = this.#init;
    const outcome = messageOutcome(this.#reason(), this.#stoppedBy);
    emit({ type: 'message_delta', delta: outcome, usage: messageUsage(generation.accountant.current) });
    emit({ type: 'message_stop' });
    return { ...this.#message(), ...outcome, content: [...this.#content.blocks] };
  }

  #reason(): string {
    return this.#init.generation.accountant.finishReasons[0] ?? '';
  }

  #message(): Message {
    const { id, model } = headOf(this.#init);
    return { ...emptyMessage(id, model), usage: usageOf(this.#init) };
  }
}
