import type { ChatEvent } from '@modelwire/ports';
import type { ResponseOutputItem, ResponseWebSearchCall, UrlCitationAnnotation } from '@modelwire/schema/types';
import type { CreateId } from '../../ids.ts';
import { ContentOrder, reasoningOf } from '../../streaming/content-order.ts';
import type { ContentEvent } from '../../streaming/content-order.ts';
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

/** Makes output items, and the events of a stream, from the chat events of one choice. Items are sequential. */
export class ResponseOutput {
  readonly #options: ResponseOutputOptions;
  readonly #items: ResponseOutputItem[] = [];
  readonly #callIds = new Set<string>();
  readonly #order = new ContentOrder({
    add: (event) => this.#apply(event),
    close: (status) => this.#closeOpen(status),
  });
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
    this.#order.add(event);
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
    this.#order.end(status);
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

  #apply(event: ContentEvent): void {
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
        this.#openCall(event);
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

  #openCall({ id, kind, name }: Extract<ChatEvent, { readonly type: 'tool_call' }>): void {
    const { createId, events, names } = this.#options;
    // Clients require a unique ID for each call of a response.
    const callId = id === '' || this.#callIds.has(id) ? createId('call_') : id;
    this.#callIds.add(callId);
    const tool = names.clientName(name);
    const itemId = createId(kind === 'function' ? 'fc_' : 'ct_');
    this.#open = new ToolCallItem(itemId, this.#items.length, events, { callId, kind, tool });
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

/** Characters are code points. */
function lengthOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at++) if ((text.codePointAt(at) ?? 0) > 0xffff) pairs++;
  return text.length - pairs;
}
