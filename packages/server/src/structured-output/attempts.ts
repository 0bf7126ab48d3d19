import type { ChatEngine, ChatEvent, ChatEvents, ChatRequest } from '@modelwire/ports';
import type { CompletionUsage } from '@modelwire/schema/types';
import { promptTokens } from '../admission/prompt-tokens.ts';
import { flat, tokensOf } from '../streaming/events.ts';
import { addUsage } from '../streaming/transforms/add-usage.ts';
import { smallPieces } from './small-pieces.ts';

/** The requests for one reply, with their usage together. */
export class Attempts {
  readonly #generate: (request: ChatRequest) => ChatEvents;
  readonly #engine: ChatEngine;
  #total: CompletionUsage | undefined;
  count = 0;

  constructor(generate: (request: ChatRequest) => ChatEvents, engine: ChatEngine) {
    this.#generate = generate;
    this.#engine = engine;
  }

  /**
   * Sends a request. Usage is that of all attempts so far. The caller may stop reading: then, and if the engine reports none, the usage of the
   * attempt is estimated as soon as there is another one.
   */
  async *send(request: ChatRequest): AsyncGenerator<ChatEvent, void, undefined> {
    this.count++;
    const before = this.#total;
    let reported: CompletionUsage | undefined;
    let counted = 0;
    const estimate = (): CompletionUsage => {
      const prompt_tokens = reported?.prompt_tokens ?? promptTokens(request, this.#engine)().tokens;
      const completion_tokens = Math.max(reported?.completion_tokens ?? 0, counted);
      return { ...reported, prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
    };
    let hasEnded = false;
    let hasFailed = false;
    if (before) yield { type: 'usage', usage: before };
    try {
      for await (const event of smallPieces(flat(this.#generate(request)))) {
        if (event.type === 'usage') {
          reported = event.usage;
          yield { type: 'usage', usage: addUsage(before, reported) };
        } else {
          counted += tokensOf(event);
          yield event;
        }
      }
      hasEnded = true;
    } catch (error) {
      hasFailed = true;
      throw error;
    } finally {
      // A request that was refused has no usage.
      if (!hasFailed || counted > 0) this.#total = addUsage(before, reported && hasEnded ? reported : estimate());
    }
  }

  /** The usage of all attempts. */
  get usage(): CompletionUsage | undefined {
    return this.#total;
  }
}
