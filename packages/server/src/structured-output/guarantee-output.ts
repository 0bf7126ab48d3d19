import type { ChatEvent } from '@modelwire/ports';
import type { FinishReason } from '@modelwire/schema/types';
import { Attempts } from './attempts.ts';
import type { GuaranteeOptions } from './guarantee-options.ts';
import { invalidOutput } from './invalid-output.ts';
import { OutputPart } from './output-part.ts';
import { repair } from './repair.ts';

/**
 * Makes the texts of a reply the documents that the request asks for (API: `response_format`, `strict`, `custom.format`), whatever the engine
 * writes. A valid reply passes unchanged. A stream sends what can still become a valid document; the rest of an invalid reply is requested
 * again. Replies that were cut (`length`, `content_filter`) and refusals pass: their finish reason shows that they are incomplete.
 *
 * @throws RequestError 502, code `invalid_output`, after the last attempt.
 */
export async function* guaranteeOutput(options: GuaranteeOptions): AsyncGenerator<ChatEvent> {
  const { request, generate, engine, onAttempt } = options;
  const attempts = new Attempts((sent) => {
    onAttempt();
    return generate(sent);
  }, engine);
  const choices = new Map<number, Choice>();
  // Other choices and calls are still needed.
  const endsAtRejection = request.n === 1 && request.tools.length === 0 && options.isStreamed;
  for await (const event of attempts.send(request)) {
    if (!('choice' in event)) {
      yield event;
      continue;
    }
    const choice = choices.get(event.choice) ?? new Choice(event.choice, options);
    choices.set(event.choice, choice);
    yield* choice.add(event);
    if (endsAtRejection && choice.isContentRejected && choice.heldFinish === undefined) {
      choice.abandon();
      break;
    }
  }
  for (const choice of choices.values()) {
    let reason = choice.heldFinish;
    if (reason === undefined) continue;
    for (const part of choice.invalidParts) {
      if (!part.grammar.isRepaired) throw invalidOutput(part, part.reader.rejection, attempts.count);
      const { cutBy } = yield* repair(part, attempts, options);
      reason = cutBy ?? reason;
    }
    yield { type: 'finish', choice: choice.index, reason };
  }
  if (attempts.count > 1 && attempts.usage) yield { type: 'usage', usage: attempts.usage };
}

/** A choice of the first reply. */
class Choice {
  readonly index: number;
  readonly invalidParts: OutputPart[] = [];
  /** Why the choice ended, if its finish waits for repairs. */
  heldFinish: FinishReason | undefined;
  readonly #options: GuaranteeOptions;
  readonly #calls = new Map<number, OutputPart>();
  #content: OutputPart | undefined;
  #hasRefused = false;
  #hasCalled = false;

  constructor(index: number, options: GuaranteeOptions) {
    this.index = index;
    this.#options = options;
    const { format } = options.grammars;
    this.#content = format && new OutputPart({ type: 'text', choice: index }, format, options.isStreamed);
  }

  get isContentRejected(): boolean {
    return this.#content?.reader.rejection !== undefined && !this.#hasRefused;
  }

  /** Ends the choice where its content was rejected. */
  abandon(): void {
    if (this.#content) this.invalidParts.push(this.#content);
    this.heldFinish = 'stop';
  }

  *add(event: Extract<ChatEvent, { readonly choice: number }>): Generator<ChatEvent> {
    switch (event.type) {
      case 'text':
        if (this.#content) yield* this.#content.write(event);
        else yield event;
        break;
      case 'tool_call':
        yield* this.#startCall(event);
        break;
      case 'tool_input': {
        const call = this.#calls.get(event.index);
        if (call) yield* call.write(event);
        else yield event;
        break;
      }
      case 'refusal':
        this.#hasRefused = true;
        yield event;
        break;
      case 'finish':
        yield* this.#finish(event);
        break;
      default:
        yield event;
    }
  }

  *#startCall(event: Extract<ChatEvent, { readonly type: 'tool_call' }>): Generator<ChatEvent> {
    this.#hasCalled = true;
    // Text before a call is not the document.
    if (this.#content) yield* this.#content.sendRaw();
    this.#content = undefined;
    yield event;
    const { choice, index, kind, name } = event;
    const grammar = this.#options.grammars.tools[kind].get(name);
    if (!grammar) return;
    const place = { type: 'tool_input', choice, index, kind, name } as const;
    this.#calls.set(index, new OutputPart(place, grammar, this.#options.isStreamed));
  }

  *#finish(event: Extract<ChatEvent, { readonly type: 'finish' }>): Generator<ChatEvent> {
    const isCut = event.reason === 'length' || event.reason === 'content_filter';
    const content = this.#hasRefused || this.#hasCalled ? undefined : this.#content;
    const parts = [...(content ? [content] : []), ...this.#calls.values()];
    for (const part of parts) {
      if (isCut) yield* part.sendRaw();
      else if (!(yield* this.#end(part))) this.invalidParts.push(part);
    }
    if (this.invalidParts.length > 0) this.heldFinish = event.reason;
    else yield event;
  }

  *#end(part: OutputPart): Generator<ChatEvent, boolean> {
    const outcome = yield* part.end();
    if (outcome === undefined && part.grammar.allowsOtherText && part.reader.canonical === '') {
      yield* part.sendRaw();
      return true;
    }
    if (outcome === undefined || outcome === 'unchanged') return outcome !== undefined;
    if (!part.grammar.isRepaired) return false;
    this.#options.onStep(outcome);
    return true;
  }
}
