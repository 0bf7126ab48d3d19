import type { CompletionUsage } from '@modelwire/schema/types';
import type { PromptTokens } from './prompt-tokens.ts';

/** Tracks the usage of a reply, also of one that is truncated or aborted. (A class: see docs/decisions/0006.) */
export class UsageTracker {
  #counted = 0;
  #reported: CompletionUsage | undefined;
  #firstTokenAt: number | undefined;
  /** Of the choices that have finished. */
  readonly finishReasons: string[] = [];
  readonly #prompt: () => PromptTokens;

  constructor(prompt: () => PromptTokens) {
    this.#prompt = prompt;
  }

  /** Adds generated tokens: those sent to the client, and those that moderation withheld. */
  count(tokens: number): void {
    if (this.#firstTokenAt === undefined && tokens > 0) this.#firstTokenAt = performance.now();
    this.#counted += tokens;
  }

  /** When the first token was counted, by `performance.now()`. */
  get firstTokenAt(): number | undefined {
    return this.#firstTokenAt;
  }

  /** Sets the usage that the engine reported; the last one counts. */
  report(usage: CompletionUsage): void {
    this.#reported = usage;
  }

  /** The usage that the engine reported; undefined if it reported none. */
  get reported(): CompletionUsage | undefined {
    return this.#reported;
  }

  /** Whether the prompt's tokens in `current` are estimated: the reply ended before the engine gave its usage. */
  get isEstimated(): boolean {
    return !this.#reported && this.#counted > 0 && this.#prompt().isEstimated;
  }

  /** The usage that is sent to the client; undefined if the engine reported none, because it is never estimated. */
  get forClient(): CompletionUsage | undefined {
    return this.#reported && this.current;
  }

  /** The best usage known so far, for limits and usage records; zero for a reply that has not started. */
  get current(): CompletionUsage {
    const reported = this.#reported;
    // An early usage has the prompt's tokens, and not the tokens that were generated since.
    if (reported && reported.completion_tokens > 0) return reported;
    const prompt_tokens = reported?.prompt_tokens ?? (this.#counted > 0 ? this.#prompt().tokens : 0);
    return {
      ...reported,
      prompt_tokens,
      completion_tokens: this.#counted,
      total_tokens: prompt_tokens + this.#counted,
    };
  }
}
