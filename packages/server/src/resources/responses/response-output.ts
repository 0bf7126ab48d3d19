import type { ChatEvent } from '@modelwire/ports';
import type { ResponseOutputItem, ResponseWebSearchCall, UrlCitationAnnotation } from '@modelwire/schema/types';
import type { CreateId } from '../../ids.ts';
import { compactionItem } from './compaction.ts';
import type { OutputItemBuilder, ResponseEventEmitter } from './event-sequence.ts';
import { MessageItem } from './message-item.ts';
import { ReasoningItem } from './reasoning-item.ts';
import type { ReasoningForm } from './reasoning-item.ts';
import { ToolCallItem } from './tool-call-item.ts';
import type { ToolNames } from './tool-names.ts';

interface ResponseOutputOptions {
  readonly events: ResponseEventEmitter;
  readonly createId: CreateId;
  readonly logprobs: boolean;
  readonly reasoning: ReasoningForm;
  readonly names: Pick<ToolNames, 'clientName'>;
  /** Whether the text is a summary, which becomes a `compaction` item. */
  readonly isCompaction: boolean;
}

type ContentEvent = Extract<
  ChatEvent,
  { readonly type: 'text' | 'refusal' | 'annotations' | 'extra' | 'tool_call' | 'tool_input' }
>;

/**
 * Makes output items, and the events of a stream, from the chat events of one choice. Items are sequential: an item is complete
 * before the next one starts, even where an engine interleaves the arguments of several calls.
 */
export class ResponseOutput {
  readonly #options: ResponseOutputOptions;
  readonly #items: ResponseOutputItem[] = [];
  readonly #callIds = new Set<string>();
  /** Events of other items that wait until the open call is complete. */
  #deferred: ContentEvent[] = [];
  #open: OutputItemBuilder | undefined;
  #summary = '';
  /** Characters of the text in earlier messages: positions of annotations count from the first. */
  #textBefore = 0;

  constructor(options: ResponseOutputOptions) {
    this.#options = options;
  }

  /** The items that are complete. */
  get items(): readonly ResponseOutputItem[] {
    return this.#items;
  }

  add(event: ContentEvent): void {
    if (this.#options.isCompaction) {
      if (event.type === 'text') this.#summary += event.text;
      return;
    }
    const key = keyOf(event);
    if (key === undefined) return;
    if (this.#hasOtherOpen(key)) {
      if (this.#open?.isComplete() === false) {
        this.#deferred.push(event);
        return;
      }
      this.#closeOpen('completed');
      this.#addDeferred();
      if (this.#hasOtherOpen(key)) {
        this.add(event);
        return;
      }
    }
    this.#apply(event, key);
  }

  #hasOtherOpen(key: string): boolean {
    return this.#open !== undefined && this.#open.key !== key;
  }

  /** Adds a search that the server ran before it called the model. */
  addWebSearch(query: string, sources: readonly string[] | undefined): void {
    const { createId, events } = this.#options;
    const output_index = this.#items.length;
    const item = (status: ResponseWebSearchCall['status']): ResponseWebSearchCall => ({
      type: 'web_search_call',
      id,
      status,
      action: { type: 'search', query, ...(sources && { sources: sources.map((url) => ({ type: 'url', url })) }) },
    });
    const id = createId('ws_');
    events.emit({ type: 'response.output_item.added', output_index, item: item('in_progress') });
    events.emit({ type: 'response.web_search_call.in_progress', output_index, item_id: id });
    events.emit({ type: 'response.web_search_call.searching', output_index, item_id: id });
    events.emit({ type: 'response.web_search_call.completed', output_index, item_id: id });
    const completed = item('completed');
    events.emit({ type: 'response.output_item.done', output_index, item: completed });
    this.#items.push(completed);
  }

  /** Ends the output. A completed response has at least one item: an empty reply is an empty message. */
  end(status: 'completed' | 'incomplete'): readonly ResponseOutputItem[] {
    if (this.#options.isCompaction) this.#addCompaction();
    while (this.#open) {
      const isLast = this.#deferred.length === 0;
      this.#closeOpen(isLast ? status : 'completed');
      this.#addDeferred();
    }
    if (status === 'completed' && !this.#items.some(({ type }) => type !== 'web_search_call' && type !== 'reasoning')) {
      const message = this.#message();
      message.addText('output_text', '');
      this.#closeOpen(status);
    }
    return this.#items;
  }

  #addCompaction(): void {
    const item = compactionItem(this.#summary, this.#options.createId);
    const output_index = this.#items.length;
    this.#options.events.emit({ type: 'response.output_item.added', output_index, item });
    this.#options.events.emit({ type: 'response.output_item.done', output_index, item });
    this.#items.push(item);
  }

  #closeOpen(status: 'completed' | 'incomplete'): void {
    const item = this.#open;
    if (!item) return;
    if (item instanceof MessageItem) this.#textBefore += lengthOf(item.text);
    this.#open = undefined;
    this.#items.push(item.close(status));
  }

  /** Item by item: events of one item may have been interleaved with those of others. */
  #addDeferred(): void {
    if (this.#deferred.length === 0) return;
    const events = this.#deferred;
    this.#deferred = [];
    const byItem = new Map<string | undefined, ContentEvent[]>();
    for (const event of events) {
      const key = keyOf(event);
      const sameItem = byItem.get(key);
      if (sameItem) sameItem.push(event);
      else byItem.set(key, [event]);
    }
    for (const itemEvents of byItem.values()) itemEvents.forEach((event) => this.add(event));
  }

  #apply(event: ContentEvent, key: string): void {
    switch (event.type) {
      case 'text':
        if (event.text !== '' || event.logprobs) this.#message().addText('output_text', event.text, event.logprobs);
        break;
      case 'refusal':
        this.#message().addText('refusal', event.text);
        break;
      case 'annotations':
        for (const annotation of event.annotations) this.#annotate(annotation);
        break;
      case 'extra':
        this.#reasoning().addText(reasoningOf(event.delta));
        break;
      case 'tool_call':
        this.#openCall(event, key);
        break;
      case 'tool_input':
        if (!(this.#open instanceof ToolCallItem))
          throw new Error('the engine sent input of a tool call that is not open');
        if (event.text !== '') this.#open.addInput(event.text);
    }
  }

  #message(): MessageItem {
    if (this.#open instanceof MessageItem) return this.#open;
    const { createId, events, logprobs } = this.#options;
    const message = new MessageItem(createId('msg_'), this.#items.length, events, logprobs);
    this.#open = message;
    return message;
  }

  #reasoning(): ReasoningItem {
    if (this.#open instanceof ReasoningItem) return this.#open;
    const { createId, events, reasoning } = this.#options;
    const item = new ReasoningItem(createId('rs_'), this.#items.length, events, reasoning);
    this.#open = item;
    return item;
  }

  #openCall({ id, kind, name }: Extract<ChatEvent, { readonly type: 'tool_call' }>, key: string): void {
    const { createId, events, names } = this.#options;
    // Clients require a unique ID for each call of a response.
    const callId = id === '' || this.#callIds.has(id) ? createId('call_') : id;
    this.#callIds.add(callId);
    const tool = names.clientName(name);
    const itemId = createId(kind === 'function' ? 'fc_' : 'ct_');
    this.#open = new ToolCallItem(itemId, this.#items.length, events, { key, callId, kind, tool });
  }

  #annotate({ url_citation: citation }: UrlCitationAnnotation): void {
    if (!citation) return;
    const { start_index, end_index, url, title } = citation;
    // Citations of an earlier message are dropped: that message is complete.
    if (start_index < this.#textBefore || !(this.#open instanceof MessageItem)) return;
    this.#open.annotate({
      type: 'url_citation',
      start_index: start_index - this.#textBefore,
      end_index: end_index - this.#textBefore,
      url,
      title,
    });
  }
}

/** The key of the item that an event belongs to; undefined for events without output. */
function keyOf(event: ContentEvent): string | undefined {
  switch (event.type) {
    case 'text':
      return event.text === '' && !event.logprobs ? undefined : MessageItem.key;
    case 'refusal':
    case 'annotations':
      return MessageItem.key;
    case 'extra':
      return reasoningOf(event.delta) === '' ? undefined : ReasoningItem.key;
    case 'tool_call':
    case 'tool_input':
      return `call ${event.index}`;
  }
}

/** Reasoning text, under the field names that model servers use. */
function reasoningOf({ reasoning_content, reasoning }: Readonly<Record<string, unknown>>): string {
  if (typeof reasoning_content === 'string') return reasoning_content;
  return typeof reasoning === 'string' ? reasoning : '';
}

/** Characters are code points. */
function lengthOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if ((text.codePointAt(at) ?? 0) > 0xffff) pairs++;
  return text.length - pairs;
}
