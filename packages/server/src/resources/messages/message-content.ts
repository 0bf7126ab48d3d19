import { isRecord, parseJson } from '@modelwire/adapter-kit';
import type { MessageContentBlock, MessageStreamEvent } from '@modelwire/schema/types';
import { RequestError } from '../../errors.ts';
import type { CreateId } from '../../ids.ts';
import { parseExactJson } from '../../json/exact-json.ts';
import { ContentOrder, reasoningOf } from '../../streaming/content-order.ts';
import type { ContentEvent } from '../../streaming/content-order.ts';

interface MessageContentOptions {
  /** Called with each event of the stream. */
  readonly emit: (event: MessageStreamEvent) => void;
  readonly createId: CreateId;
  readonly reasoning: 'shown' | 'omitted' | 'hidden';
}

/** A block that is being generated: its kind and what it contains so far. */
interface OpenBlock {
  readonly block: MessageContentBlock;
  text: string;
}

/** Makes the blocks of a message, and their events, from the chat events of one choice. */
export class MessageContent {
  readonly #options: MessageContentOptions;
  readonly #blocks: MessageContentBlock[] = [];
  readonly #callIds = new Set<string>();
  readonly #order = new ContentOrder({
    add: (event) => this.#apply(event),
    close: (status) => this.#close(status),
  });
  #open: OpenBlock | undefined;

  constructor(options: MessageContentOptions) {
    this.#options = options;
  }

  /** The blocks that are complete. */
  get blocks(): readonly MessageContentBlock[] {
    return this.#blocks;
  }

  add(event: ContentEvent): void {
    this.#order.add(event);
  }

  /** Ends the content. A reply without content is an empty text. */
  end(status: 'completed' | 'incomplete'): void {
    this.#order.end(status);
  }

  #apply(event: ContentEvent): void {
    switch (event.type) {
      case 'text':
      case 'refusal':
        if (event.text !== '') this.#addText(event.text);
        break;
      case 'extra':
        this.#addReasoning(reasoningOf(event.delta));
        break;
      case 'tool_call':
        this.#begin({ type: 'tool_use', id: this.#callId(event.id), name: event.name, input: {} });
        break;
      case 'tool_input':
        if (this.#open?.block.type !== 'tool_use')
          throw new Error('the engine sent input of a tool call that is not open');
        if (event.text !== '') this.#grow(event.text, { type: 'input_json_delta', partial_json: event.text });
        break;
      case 'annotations':
        break;
    }
  }

  #addText(text: string): void {
    if (this.#open?.block.type !== 'text') this.#begin({ type: 'text', text: '' });
    this.#grow(text, { type: 'text_delta', text });
  }

  #addReasoning(text: string): void {
    const { reasoning } = this.#options;
    if (reasoning === 'hidden') return;
    if (this.#open?.block.type !== 'thinking') this.#begin({ type: 'thinking', thinking: '', signature: '' });
    this.#grow(text, reasoning === 'shown' ? { type: 'thinking_delta', thinking: text } : undefined);
  }

  /** Clients require a unique ID for each call of a message. */
  #callId(id: string): string {
    const own = id === '' || this.#callIds.has(id) ? this.#options.createId('toolu_') : id;
    this.#callIds.add(own);
    return own;
  }

  #begin(block: MessageContentBlock): void {
    this.#open = { block, text: '' };
    this.#options.emit({ type: 'content_block_start', index: this.#blocks.length, content_block: block });
  }

  #grow(text: string, delta: Delta | undefined): void {
    if (!this.#open) return;
    this.#open.text += text;
    if (delta) this.#emitDelta(delta);
  }

  #emitDelta(delta: Delta): void {
    this.#options.emit({ type: 'content_block_delta', index: this.#blocks.length, delta });
  }

  #close(status: 'completed' | 'incomplete'): void {
    if (!this.#open) return;
    const { block, text } = this.#open;
    this.#open = undefined;
    const index = this.#blocks.length;
    switch (block.type) {
      case 'text':
        this.#blocks.push({ ...block, text });
        break;
      case 'thinking': {
        const signature = this.#options.createId('sig_');
        this.#emitDelta({ type: 'signature_delta', signature });
        this.#blocks.push({ ...block, thinking: this.#options.reasoning === 'shown' ? text : '', signature });
        break;
      }
      case 'tool_use':
        this.#blocks.push({ ...block, input: inputOf(text, status) });
    }
    this.#options.emit({ type: 'content_block_stop', index });
  }
}

type Delta = Extract<MessageStreamEvent, { readonly type: 'content_block_delta' }>['delta'];

/** The input of a call. A call that was cut off has none. @throws a 502 for arguments of a complete call that are no JSON object. */
function inputOf(text: string, status: 'completed' | 'incomplete'): Readonly<Record<string, unknown>> {
  if (text.trim() === '') return {};
  const input = parseInput(text);
  if (isRecord(input)) return input;
  if (status === 'incomplete') return {};
  throw new RequestError('The model called a tool with input that is not a JSON object.', {
    status: 502,
    code: 'upstream_malformed',
  });
}

/** With the digits of large numbers; undefined for what is not JSON. */
function parseInput(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return parseJson(text);
  }
}
