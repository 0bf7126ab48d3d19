import type { ResponseReasoning } from '@modelwire/schema/types';
import { toBase64 } from '../../json/base64.ts';
import type { OutputItemBuilder, ResponseEventEmitter } from './event-sequence.ts';

export interface ReasoningForm {
  /** As a summary if `reasoning.summary` requests one, otherwise as text. */
  readonly isSummary: boolean;
  /** Whether the item carries its text as `encrypted_content`, for clients that send it back. It is encoded in base64, not encrypted. */
  readonly hasEncryptedContent: boolean;
}

/** Reasoning of the model. */
export class ReasoningItem implements OutputItemBuilder {
  readonly #index: number;
  readonly #id: string;
  readonly #events: ResponseEventEmitter;
  readonly #form: ReasoningForm;
  #text = '';

  constructor(id: string, index: number, events: ResponseEventEmitter, form: ReasoningForm) {
    this.#id = id;
    this.#index = index;
    this.#events = events;
    this.#form = form;
    const item: ResponseReasoning = { type: 'reasoning', id: this.#id, summary: [], status: 'in_progress' };
    events.emit({ type: 'response.output_item.added', output_index: index, item });
    if (form.isSummary) {
      events.emit({
        type: 'response.reasoning_summary_part.added',
        ...this.#summary(),
        part: { type: 'summary_text', text: '' },
      });
    } else {
      events.emit({ type: 'response.content_part.added', ...this.#part(), part: { type: 'reasoning_text', text: '' } });
    }
  }

  addText(delta: string): void {
    this.#text += delta;
    this.#events.emit(
      this.#form.isSummary
        ? { type: 'response.reasoning_summary_text.delta', ...this.#summary(), delta }
        : { type: 'response.reasoning_text.delta', ...this.#part(), delta },
    );
  }

  close(status: 'completed' | 'incomplete'): ResponseReasoning {
    const { isSummary, hasEncryptedContent } = this.#form;
    const text = this.#text;
    if (isSummary) {
      const position = this.#summary();
      this.#events.emit({ type: 'response.reasoning_summary_text.done', ...position, text });
      this.#events.emit({
        type: 'response.reasoning_summary_part.done',
        ...position,
        part: { type: 'summary_text', text },
      });
    } else {
      const position = this.#part();
      this.#events.emit({ type: 'response.reasoning_text.done', ...position, text });
      this.#events.emit({ type: 'response.content_part.done', ...position, part: { type: 'reasoning_text', text } });
    }
    const item: ResponseReasoning = {
      type: 'reasoning',
      id: this.#id,
      summary: isSummary ? [{ type: 'summary_text', text }] : [],
      ...(!isSummary && { content: [{ type: 'reasoning_text', text }] }),
      ...(hasEncryptedContent && { encrypted_content: toBase64(new TextEncoder().encode(text)) }),
      status,
    };
    this.#events.emit({ type: 'response.output_item.done', output_index: this.#index, item });
    return item;
  }

  #part() {
    return { output_index: this.#index, item_id: this.#id, content_index: 0 };
  }

  #summary() {
    return { output_index: this.#index, item_id: this.#id, summary_index: 0 };
  }
}
