import type {
  ResponseLogprob,
  ResponseOutputContent,
  ResponseOutputMessage,
  ResponseUrlCitation,
  TokenLogprob,
} from '@modelwire/schema/types';
import type { OutputItemBuilder, ItemPosition, ResponseEventEmitter } from './event-sequence.ts';

interface PartBuilder {
  readonly type: 'output_text' | 'refusal';
  text: string;
  readonly annotations: ResponseUrlCitation[];
  readonly logprobs: ResponseLogprob[];
}

/** A message of the model. Its text and a refusal are sequential parts of it. */
export class MessageItem implements OutputItemBuilder {
  readonly #position: ItemPosition;
  readonly #events: ResponseEventEmitter;
  readonly #hasLogprobs: boolean;
  readonly #done: ResponseOutputContent[] = [];
  #part: PartBuilder | undefined;

  constructor(id: string, index: number, events: ResponseEventEmitter, hasLogprobs: boolean) {
    this.#position = { output_index: index, item_id: id };
    this.#events = events;
    this.#hasLogprobs = hasLogprobs;
    events.emit({ type: 'response.output_item.added', output_index: index, item: this.#item('in_progress', []) });
  }

  /** The text that it contains so far. */
  get text(): string {
    const done = this.#done.map((part) => (part.type === 'output_text' ? part.text : ''));
    return done.join('') + (this.#part?.type === 'output_text' ? this.#part.text : '');
  }

  addText(type: PartBuilder['type'], delta: string, tokens: readonly TokenLogprob[] = []): void {
    const part = this.#open(type);
    part.text += delta;
    const position = this.#partPosition();
    if (type === 'refusal') {
      this.#events.emit({ type: 'response.refusal.delta', ...position, delta });
      return;
    }
    const logprobs = this.#hasLogprobs ? tokens.map(logprobOf) : [];
    part.logprobs.push(...logprobs);
    this.#events.emit({ type: 'response.output_text.delta', ...position, delta, logprobs });
  }

  annotate(annotation: ResponseUrlCitation): void {
    const part = this.#open('output_text');
    const annotation_index = part.annotations.push(annotation) - 1;
    this.#events.emit({
      type: 'response.output_text.annotation.added',
      ...this.#partPosition(),
      annotation_index,
      annotation,
    });
  }

  close(status: 'completed' | 'incomplete'): ResponseOutputMessage {
    this.#closePart();
    const item = this.#item(status, [...this.#done]);
    this.#events.emit({ type: 'response.output_item.done', output_index: this.#position.output_index, item });
    return item;
  }

  #open(type: PartBuilder['type']): PartBuilder {
    if (this.#part?.type === type) return this.#part;
    this.#closePart();
    const part: PartBuilder = { type, text: '', annotations: [], logprobs: [] };
    this.#part = part;
    this.#events.emit({ type: 'response.content_part.added', ...this.#partPosition(), part: this.#content(part) });
    return part;
  }

  #closePart(): void {
    const part = this.#part;
    if (!part) return;
    const content = this.#content(part);
    const position = this.#partPosition();
    this.#events.emit(
      content.type === 'refusal'
        ? { type: 'response.refusal.done', ...position, refusal: content.refusal }
        : { type: 'response.output_text.done', ...position, text: content.text, logprobs: part.logprobs },
    );
    this.#events.emit({ type: 'response.content_part.done', ...position, part: content });
    this.#done.push(content);
    this.#part = undefined;
  }

  #partPosition(): ItemPosition & { readonly content_index: number } {
    const { output_index, item_id } = this.#position;
    return { output_index, item_id, content_index: this.#done.length };
  }

  #content({ type, text, annotations, logprobs }: PartBuilder): ResponseOutputContent {
    return type === 'refusal'
      ? { type, refusal: text }
      : { type, text, annotations: [...annotations], logprobs: [...logprobs] };
  }

  #item(status: ResponseOutputMessage['status'], content: ResponseOutputMessage['content']): ResponseOutputMessage {
    return { type: 'message', id: this.#position.item_id, role: 'assistant', status, content };
  }
}

function logprobOf({ token, logprob, bytes, top_logprobs }: TokenLogprob): ResponseLogprob {
  return { token, logprob, bytes, top_logprobs };
}
