import type { CompletionUsage } from '@modelwire/schema/types';

/** What a reply has cost so far: also one that is cut off or left has to be booked. (A class: see docs/decisions/0006.) */
export class Tally {
  #counted = 0;
  #said: CompletionUsage | undefined;

  /** Tokens that were let through. */
  count(tokens: number): void {
    this.#counted += tokens;
  }

  /** What the engine says; the last word is the right one. */
  say(usage: CompletionUsage): void {
    this.#said = usage;
  }

  /** What the engine said of the whole reply; undefined where it never did. */
  get said(): CompletionUsage | undefined {
    return this.#said;
  }

  /** The best that is known at any time. */
  get spent(): CompletionUsage {
    const said = this.#said;
    // An engine that spoke early knows less of the completion than what was let through since.
    if (said && said.completion_tokens > 0) return said;
    const prompt_tokens = said?.prompt_tokens ?? 0;
    return { ...said, prompt_tokens, completion_tokens: this.#counted, total_tokens: prompt_tokens + this.#counted };
  }
}
