import type { ResponseReasoning } from '@modelwire/schema/types';
import { toBase64 } from '../../base64.ts';
import { randomId } from '../../ids.ts';
import type { EmitEvent, GrowingItem } from './item-events.ts';

export interface ReasoningForm {
  /** As a summary, where `reasoning.summary` asks for one; otherwise as text. */
  readonly isSummary: boolean;
  /** Whether the item carries its text as `encrypted_content`, for clients that send it back. It is encoded in base64, not encrypted. */
  readonly hasEncryptedContent: boolean;
}

/** Reasoning of the model. */
export class ReasoningItem implements GrowingItem {
  static readonly key = 'reasoning';
  readonly key = ReasoningItem.key;
  readonly #index: number;
  readonly #id = randomId('rs_');
  readonly #emit: EmitEvent | undefined;
  readonly #form: ReasoningForm;
  #text = '';

  constructor(index: number, emit: EmitEvent | undefined, form: ReasoningForm) {
    this.#index = index;
    this.#emit = emit;
    this.#form = form;
    if (!emit) return;
    const item: ResponseReasoning = { type: 'reasoning', id: this.#id, summary: [], status: 'in_progress' };
    emit({ type: 'response.output_item.added', output_index: index, item });
    if (form.isSummary) {
      emit({
        type: 'response.reasoning_summary_part.added',
        ...this.#summary(),
        part: { type: 'summary_text', text: '' },
      });
    } else {
      emit({ type: 'response.content_part.added', ...this.#part(), part: { type: 'reasoning_text', text: '' } });
    }
  }

  isComplete(): boolean {
    return true;
  }

  addText(delta: string): void {
    this.#text += delta;
    if (this.#form.isSummary) {
      this.#emit?.({ type: 'response.reasoning_summary_text.delta', ...this.#summary(), delta });
    } else this.#emit?.({ type: 'response.reasoning_text.delta', ...this.#part(), delta });
  }

  close(status: 'completed' | 'incomplete'): ResponseReasoning {
    const { isSummary, hasEncryptedContent } = this.#form;
    const text = this.#text;
    if (this.#emit) {
      if (isSummary) {
        const place = this.#summary();
        this.#emit({ type: 'response.reasoning_summary_text.done', ...place, text });
        this.#emit({ type: 'response.reasoning_summary_part.done', ...place, part: { type: 'summary_text', text } });
      } else {
        const place = this.#part();
        this.#emit({ type: 'response.reasoning_text.done', ...place, text });
        this.#emit({ type: 'response.content_part.done', ...place, part: { type: 'reasoning_text', text } });
      }
    }
    const item: ResponseReasoning = {
      type: 'reasoning',
      id: this.#id,
      summary: isSummary ? [{ type: 'summary_text', text }] : [],
      ...(!isSummary && { content: [{ type: 'reasoning_text', text }] }),
      ...(hasEncryptedContent && { encrypted_content: toBase64(new TextEncoder().encode(text)) }),
      status,
    };
    this.#emit?.({ type: 'response.output_item.done', output_index: this.#index, item });
    return item;
  }

  #part() {
    return { output_index: this.#index, item_id: this.#id, content_index: 0 };
  }

  #summary() {
    return { output_index: this.#index, item_id: this.#id, summary_index: 0 };
  }
}
