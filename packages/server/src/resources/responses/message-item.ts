import type {
  ResponseLogprob,
  ResponseOutputContent,
  ResponseOutputMessage,
  ResponseUrlCitation,
  TokenLogprob,
} from '@modelwire/schema/types';
import { randomId } from '../../ids.ts';
import type { EmitEvent, GrowingItem, ItemPlace } from './item-events.ts';

interface GrowingPart {
  readonly type: 'output_text' | 'refusal';
  text: string;
  readonly annotations: ResponseUrlCitation[];
  readonly logprobs: ResponseLogprob[];
}

/** A message of the model. Its text and a refusal are parts of it, one after the other. */
export class MessageItem implements GrowingItem {
  static readonly key = 'message';
  readonly key = MessageItem.key;
  readonly #place: ItemPlace;
  readonly #emit: EmitEvent | undefined;
  readonly #hasLogprobs: boolean;
  readonly #done: ResponseOutputContent[] = [];
  #part: GrowingPart | undefined;

  constructor(index: number, emit: EmitEvent | undefined, hasLogprobs: boolean) {
    this.#place = { output_index: index, item_id: randomId('msg_') };
    this.#emit = emit;
    this.#hasLogprobs = hasLogprobs;
    emit?.({ type: 'response.output_item.added', output_index: index, item: this.#item('in_progress', []) });
  }

  isComplete(): boolean {
    return true;
  }

  /** The text that it contains so far. */
  get text(): string {
    const done = this.#done.map((part) => (part.type === 'output_text' ? part.text : ''));
    return done.join('') + (this.#part?.type === 'output_text' ? this.#part.text : '');
  }

  addText(type: GrowingPart['type'], delta: string, tokens: readonly TokenLogprob[] = []): void {
    const part = this.#open(type);
    part.text += delta;
    const logprobs = this.#hasLogprobs ? tokens.map(logprobOf) : [];
    part.logprobs.push(...logprobs);
    if (!this.#emit) return;
    const place = this.#partPlace();
    if (type === 'refusal') this.#emit({ type: 'response.refusal.delta', ...place, delta });
    else this.#emit({ type: 'response.output_text.delta', ...place, delta, logprobs });
  }

  annotate(annotation: ResponseUrlCitation): void {
    const part = this.#open('output_text');
    const annotation_index = part.annotations.push(annotation) - 1;
    this.#emit?.({
      type: 'response.output_text.annotation.added',
      ...this.#partPlace(),
      annotation_index,
      annotation,
    });
  }

  close(status: 'completed' | 'incomplete'): ResponseOutputMessage {
    this.#closePart();
    const item = this.#item(status, [...this.#done]);
    this.#emit?.({ type: 'response.output_item.done', output_index: this.#place.output_index, item });
    return item;
  }

  #open(type: GrowingPart['type']): GrowingPart {
    if (this.#part?.type === type) return this.#part;
    this.#closePart();
    const part: GrowingPart = { type, text: '', annotations: [], logprobs: [] };
    this.#part = part;
    this.#emit?.({ type: 'response.content_part.added', ...this.#partPlace(), part: this.#content(part) });
    return part;
  }

  #closePart(): void {
    const part = this.#part;
    if (!part) return;
    const content = this.#content(part);
    if (this.#emit) {
      const place = this.#partPlace();
      if (content.type === 'refusal') {
        this.#emit({ type: 'response.refusal.done', ...place, refusal: content.refusal });
      } else {
        this.#emit({ type: 'response.output_text.done', ...place, text: content.text, logprobs: part.logprobs });
      }
      this.#emit({ type: 'response.content_part.done', ...place, part: content });
    }
    this.#done.push(content);
    this.#part = undefined;
  }

  #partPlace(): ItemPlace & { readonly content_index: number } {
    const { output_index, item_id } = this.#place;
    return { output_index, item_id, content_index: this.#done.length };
  }

  #content({ type, text, annotations, logprobs }: GrowingPart): ResponseOutputContent {
    return type === 'refusal'
      ? { type, refusal: text }
      : { type, text, annotations: [...annotations], logprobs: [...logprobs] };
  }

  #item(status: ResponseOutputMessage['status'], content: ResponseOutputMessage['content']): ResponseOutputMessage {
    return { type: 'message', id: this.#place.item_id, role: 'assistant', status, content };
  }
}

function logprobOf({ token, logprob, bytes, top_logprobs }: TokenLogprob): ResponseLogprob {
  return { token, logprob, bytes, top_logprobs };
}
