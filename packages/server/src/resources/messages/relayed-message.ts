import { isRecord } from '@modelwire/adapter-kit';
import type { ChatEvents, EngineContext, NativeMessageEvent } from '@modelwire/ports';
import type { Message } from '@modelwire/schema/types';
import { judgesReply } from '../../generation/generate.ts';
import type { ReplyEvent } from '../../streaming/events.ts';
import type { RelayedMessage } from '../../streaming/relay.ts';
import { emptyMessage, messageUsage } from './message.ts';
import { GeneratedMessage, headOf, usageOf } from './message-writer.ts';
import type { MessageWriter, MessageWriterInit } from './message-writer.ts';
import { NativeChatEvents } from './native-chat-events.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Relays a message of an engine that speaks the dialect: its events as they are, with the server's ID, model and usage. What reads replies
 * receives them as chat events. A reply that is moderated waits for its end, since the events cannot be cut where a text is.
 */
export class RelayedMessageWriter implements MessageWriter {
  readonly #init: MessageWriterInit;
  readonly #waitsForModeration: boolean;
  /** Events that the client has not received. */
  #received: NativeMessageEvent[] = [];
  readonly #pendingEvents: ReplyEvent[] = [];
  #isOpen = false;
  #hasUpstreamEnded = false;
  #completeMessage: NativeMessageEvent | undefined;
  /** What the client receives instead of a reply that moderation ended. */
  #replacement: GeneratedMessage | undefined;

  constructor(init: MessageWriterInit) {
    this.#init = init;
    this.#waitsForModeration = judgesReply(init.generation.moderators);
  }

  /** Generates the message, as chat events. */
  async *generate(context: EngineContext): AsyncGenerator<Extract<ChatEvents, readonly unknown[]>> {
    const { call, generation } = this.#init;
    const { engine } = generation.resolvedModel;
    if (!engine.createMessage) throw new Error('the engine does not speak the Messages API');
    const chatEvents = new NativeChatEvents(this.#waitsForModeration);
    const request = { body: { ...call.body }, betas: call.header('anthropic-beta') };
    for await (const events of engine.createMessage(request, context)) {
      this.#received.push(...events);
      yield events.flatMap((event) => chatEvents.toChatEvents(event));
    }
    this.#hasUpstreamEnded = true;
  }

  add(events: readonly ReplyEvent[]): void {
    if (this.#waitsForModeration) this.#pendingEvents.push(...events);
    else this.#release();
  }

  endContent(): void {
    // Moderation leaves a reply that it ends.
    if (!this.#waitsForModeration || this.#hasUpstreamEnded) return;
    this.#replacement = new GeneratedMessage(this.#init);
    this.#replacement.add(this.#pendingEvents);
    this.#replacement.endContent();
  }

  end(): Message | RelayedMessage {
    if (this.#replacement) return this.#replacement.end();
    this.#release();
    this.#init.emit({ type: 'message_stop' });
    return this.#withHead(this.#completeMessage ?? {});
  }

  #release(): void {
    for (const event of this.#received.splice(0)) {
      if (event.type === 'message') this.#completeMessage = event;
      else if (event.type === 'message_start') this.#start(event['message']);
      else if (event.type !== 'message_stop') this.#emit(event);
    }
  }

  #start(message: unknown): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#init.emit({ type: 'message_start', message: this.#withHead(isRecord(message) ? message : {}) });
  }

  #emit(event: NativeMessageEvent): void {
    this.#start(undefined);
    this.#init.emit(event.type === 'message_delta' ? this.#completeDelta(event) : event);
  }

  #completeDelta(event: NativeMessageEvent): NativeMessageEvent {
    const { usage, delta } = event;
    const counts = messageUsage(this.#init.generation.accountant.current);
    return {
      ...event,
      ...(isRecord(delta) && { delta: { ...delta, ...this.#stopOf(delta) } }),
      usage: { ...(isRecord(usage) && usage), ...counts },
    };
  }

  /** The stop sequence that ended the reply, and its reason: some upstreams leave out one of the two. */
  #stopOf({ stop_reason: reason, stop_sequence: text }: Fields): Fields {
    const [only, ...others] = this.#init.call.body.stop_sequences ?? [];
    if (typeof text === 'string') return reason === 'end_turn' ? { stop_reason: 'stop_sequence' } : {};
    return reason === 'stop_sequence' && others.length === 0 ? { stop_sequence: only ?? null } : {};
  }

  /** The message with what this server decides, and with the fields that the upstream left out. */
  #withHead(message: Fields): RelayedMessage {
    const { id, model } = headOf(this.#init);
    const { usage } = message;
    return {
      ...emptyMessage(id, model),
      ...message,
      ...this.#stopOf(message),
      ...{ id, model, usage: { ...(isRecord(usage) && usage), ...usageOf(this.#init) } },
    };
  }
}
