import type { CompletionUsage } from '@modelwire/schema/types';
import { RequestError, quoteAll } from '../../errors.ts';
import type { ChatEvent, ChatEvents, ChatRequest } from '@modelwire/ports';
import { flat } from '../events.ts';
import { addUsage } from './add-usage.ts';

interface RetryOptions {
  readonly request: ChatRequest;
  /** Names of tools of which one must be called. */
  readonly requiredTools: readonly string[];
  readonly maxAttempts: number;
  readonly generate: (request: ChatRequest) => ChatEvents;
}

/**
 * Repeats the request for one choice until the reply calls a required tool (API: `tool_choice`). Nothing is emitted before the call starts. The
 * model receives its reply and the error. Usage is the sum of all attempts.
 *
 * A truncated reply (`length`, `content_filter`) or a refusal passes: its finish reason shows that it is not a complete reply.
 *
 * @throws RequestError 502, type `invalid_output`, after the last attempt.
 */
export async function* retryMissingCall(options: RetryOptions): AsyncGenerator<ChatEvent> {
  const { request, requiredTools, maxAttempts, generate } = options;
  let messages = request.messages;
  let totalUsage: CompletionUsage | undefined;
  let isCounted = true;
  for (let attemptsLeft = maxAttempts; ; attemptsLeft--) {
    const attempt = new BufferedAttempt(requiredTools);
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
    const problem = attempt.problem();
    if (problem === undefined) {
      yield* attempt.releaseBuffered();
      return;
    }
    if (attemptsLeft === 1) throw missingCall(problem, maxAttempts);
    messages = [
      ...messages,
      ...(attempt.text === '' ? [] : [{ role: 'assistant' as const, content: attempt.text }]),
      {
        role: 'user' as const,
        content: `That reply is invalid: ${problem}. Reply again and follow the instructions.`,
      },
    ];
  }
}

/** The events of one attempt so far. */
class BufferedAttempt {
  text = '';
  usage: CompletionUsage | undefined;
  readonly #requiredTools: readonly string[];
  readonly #calledTools: string[] = [];
  #events: ChatEvent[] = [];
  #isReleased = false;
  #passes = false;

  constructor(requiredTools: readonly string[]) {
    this.#requiredTools = requiredTools;
  }

  /** Returns the events that may be emitted now. */
  *add(event: ChatEvent): Generator<ChatEvent> {
    if (this.#isReleased) {
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
    if (!this.#requiredTools.includes(event.name)) return;
    this.#isReleased = true;
    yield* this.releaseBuffered();
  }

  /** The remaining events, once the reply is valid. */
  releaseBuffered(): readonly ChatEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  problem(): string | undefined {
    if (this.#isReleased || this.#passes) return undefined;
    const required = quoteAll(this.#requiredTools);
    return this.#calledTools.length > 0
      ? `it calls ${quoteAll(this.#calledTools)}, not ${required}`
      : `it does not call ${required}`;
  }
}

function missingCall(problem: string, attempts: number): RequestError {
  return new RequestError(`The output of the model is invalid after ${attempts} attempts: ${problem}.`, {
    status: 502,
    type: 'invalid_output',
    code: 'invalid_output',
    param: 'tool_choice',
    // Official clients would repeat the whole request.
    headers: { 'x-should-retry': 'false' },
  });
}
