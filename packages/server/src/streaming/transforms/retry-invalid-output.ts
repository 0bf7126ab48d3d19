import type { CompletionUsage } from '@modelwire/schema/types';
import { RequestError, quoteAll } from '../../errors.ts';
import type { ChatEvent, ChatEvents, ChatRequest } from '@modelwire/ports';
import { flat } from '../events.ts';
import { checkInTurns } from './json-shape.ts';
import type { Expectation } from './expectation.ts';
import { addUsage } from './add-usage.ts';

interface RetryOptions {
  readonly request: ChatRequest;
  readonly expected: Expectation;
  readonly generate: (request: ChatRequest) => ChatEvents;
}

/**
 * Repeats the request for one choice until the reply is valid (API: `response_format`, `tool_choice`). Nothing is emitted before: text is held
 * back until it is complete and valid, tool calls until an expected one starts. The model receives its invalid reply and the error. Usage is
 * the sum of all attempts.
 *
 * A truncated reply (`length`, `content_filter`) or a refusal passes: its finish reason shows that it is not a complete reply.
 *
 * @throws RequestError 502, type `invalid_output`, after the last attempt.
 */
export async function* retryInvalidOutput({ request, expected, generate }: RetryOptions): AsyncGenerator<ChatEvent> {
  let messages = request.messages;
  let totalUsage: CompletionUsage | undefined;
  let isCounted = true;
  for (let retriesLeft = expected.maxRetries; ; retriesLeft--) {
    const attempt = new BufferedAttempt(expected);
    for await (const event of flat(generate({ ...request, messages }))) {
      if (event.type === 'usage') {
        attempt.usage = event.usage;
        continue;
      }
      yield* attempt.add(event);
    }
    isCounted &&= attempt.usage !== undefined;
    if (attempt.usage && isCounted) {
      totalUsage = addUsage(totalUsage, attempt.usage);
      // Including failed attempts, which also cost.
      yield { type: 'usage', usage: totalUsage };
    }
    const validationError = await attempt.validationError();
    if (validationError === undefined) {
      yield* attempt.releaseBuffered();
      return;
    }
    if (retriesLeft === 0) throw invalidOutput(validationError, expected);
    messages = [
      ...messages,
      ...(attempt.text === '' ? [] : [{ role: 'assistant' as const, content: attempt.text }]),
      {
        role: 'user' as const,
        content: `That reply is invalid: ${validationError}. Reply again and follow the instructions.`,
      },
    ];
  }
}

/** The events of one attempt so far. */
class BufferedAttempt {
  text = '';
  usage: CompletionUsage | undefined;
  readonly #expected: Expectation;
  readonly #calledTools: string[] = [];
  #events: ChatEvent[] = [];
  #released = false;
  #passes = false;

  constructor(expected: Expectation) {
    this.#expected = expected;
  }

  /** Returns the events that may be emitted now. */
  *add(event: ChatEvent): Generator<ChatEvent> {
    if (this.#released) {
      yield event;
      return;
    }
    this.#events.push(event);
    if (event.type === 'text') this.text += event.text;
    // Refusals and truncated replies pass.
    if (event.type === 'refusal') this.#passes = true;
    if (event.type === 'finish' && (event.reason === 'length' || event.reason === 'content_filter'))
      this.#passes = true;
    if (event.type !== 'tool_call') return;
    this.#calledTools.push(event.name);
    if (this.#expected.toCall?.includes(event.name) === false) return;
    this.#released = true;
    yield* this.releaseBuffered();
  }

  /** The remaining events, once the reply is valid. */
  *releaseBuffered(): Generator<ChatEvent> {
    const events = this.#events;
    this.#events = [];
    const inner = this.#released || this.#passes ? this.text : unfenced(this.text);
    yield* inner === this.text ? events : withText(events, inner);
  }

  async validationError(): Promise<string | undefined> {
    const { toCall, json } = this.#expected;
    if (this.#released || this.#passes) return undefined;
    if (toCall && this.#calledTools.length > 0)
      return `it calls ${quoteAll(this.#calledTools)}, not ${quoteAll(toCall)}`;
    if (toCall) return `it does not call ${quoteAll(toCall)}`;
    return json && checkInTurns(json(unfenced(this.text)));
  }
}

/** The content of a code block that is the whole text: many models write JSON only inside a code block. */
function unfenced(text: string): string {
  const trimmed = text.trim();
  const start = trimmed.indexOf('\n');
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```') || start === -1 || start > trimmed.length - 3) return text;
  return trimmed.slice(start + 1, -3).trim();
}

/** Replaces the text of the events, at the position of its first piece, without log probabilities: they belong to the original text. */
function* withText(events: readonly ChatEvent[], text: string): Generator<ChatEvent> {
  const texts = events.filter((event) => event.type === 'text');
  const tokens = texts.reduce((sum, event) => sum + (event.tokens ?? 1), 0);
  for (const event of events) {
    if (event.type !== 'text') yield event;
    else if (event === texts[0]) yield { type: 'text', choice: event.choice, text, tokens };
  }
}

function invalidOutput(validationError: string, { toCall, maxRetries }: Expectation): RequestError {
  return new RequestError(`The output of the model is invalid after ${maxRetries + 1} attempts: ${validationError}.`, {
    status: 502,
    type: 'invalid_output',
    code: 'invalid_output',
    param: toCall ? 'tool_choice' : 'response_format',
    // Official clients would repeat the whole request.
    headers: { 'x-should-retry': 'false' },
  });
}
