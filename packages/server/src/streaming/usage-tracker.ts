import type { CompletionUsage } from '@modelwire/schema/types';
import type { PromptTokens } from './prompt-tokens.ts';

/** What a reply has cost so far: a reply that is cut off or abandoned is booked, too. (A class: see docs/decisions/0006.) */
export class UsageTracker {
  #counted = 0;
  #said: CompletionUsage | undefined;
  #firstTokenAt: number | undefined;
  /** Of the choices that have finished. */
  readonly finishReasons: string[] = [];
  readonly #prompt: () => PromptTokens;

  constructor(prompt: () => PromptTokens) {
    this.#prompt = prompt;
  }

  /** Adds tokens that were generated: those released to the caller, and those that moderation withheld. */
  count(tokens: number): void {
    if (this.#firstTokenAt === undefined && tokens > 0) this.#firstTokenAt = performance.now();
    this.#counted += tokens;
  }

  /** When the first token was counted, by `performance.now()`. */
  get firstTokenAt(): number | undefined {
    return this.#firstTokenAt;
  }

  /** Takes the engine's usage; the last one counts. */
  say(usage: CompletionUsage): void {
    this.#said = usage;
  }

  /** The engine's usage of the whole reply; undefined where it gave none. */
  get said(): CompletionUsage | undefined {
    return this.#said;
  }

  /** Whether the prompt's tokens in `spent` are estimated: the reply ended before the engine gave its usage. */
  get isEstimated(): boolean {
    return !this.#said && this.#counted > 0 && this.#prompt().isEstimated;
  }

  /** The usage that the caller is shown; undefined where the engine gave none, also not early: nothing is made up. */
  get shown(): CompletionUsage | undefined {
    return this.#said && this.spent;
  }

  /** The best that is known at any time, for limits and records; nothing for a reply that never began. */
  get spent(): CompletionUsage {
    const said = this.#said;
    // An early usage has the prompt's tokens, and not the tokens that were generated since.
    if (said && said.completion_tokens > 0) return said;
    const prompt_tokens = said?.prompt_tokens ?? (this.#counted > 0 ? this.#prompt().tokens : 0);
    return { ...said, prompt_tokens, completion_tokens: this.#counted, total_tokens: prompt_tokens + this.#counted };
  }
}
