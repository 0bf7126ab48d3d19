import { addCounts, toCount } from '@modelwire/adapter-kit/internal';
import type { CompletionUsage, ServiceTier } from '@modelwire/schema/types';
import type { PromptTokens } from './prompt-tokens.ts';
import type { WorkUsage } from './work.ts';

/** A tier that a server can have used. */
type ServedTier = Exclude<ServiceTier, 'auto' | 'fast'>;

interface Metadata {
  readonly service_tier?: ServiceTier;
  readonly system_fingerprint?: string;
}

/** Limits reported usage to what the request can mean. @param counted Generated tokens that were counted so far. */
type BoundReportedUsage = (usage: CompletionUsage, counted: number) => CompletionUsage;

/** Accounts for a reply: its usage, also if it is truncated or aborted, and what its engine says about it. */
export class Accountant implements WorkUsage {
  onFirstToken: WorkUsage['onFirstToken'];
  #counted = 0;
  #reported: CompletionUsage | undefined;
  #firstTokenAt: number | undefined;
  #isPromptUsed = false;
  #tier: ServedTier | undefined;
  #fingerprint: string | undefined;
  readonly #finishReasons: string[] = [];
  readonly #prompt: () => PromptTokens;
  readonly #bound: BoundReportedUsage;

  /** @param bound Limits the usage that the engine reports. */
  constructor(prompt: () => PromptTokens, bound: BoundReportedUsage) {
    this.#prompt = prompt;
    this.#bound = bound;
  }

  /** Adds generated tokens: those sent to the client, and those that moderation withheld. */
  count(tokens: number): void {
    this.#counted = addCounts(this.#counted, toCount(tokens));
    if (this.#firstTokenAt !== undefined || this.#counted === 0) return;
    this.#firstTokenAt = performance.now();
    this.onFirstToken?.(this.#firstTokenAt);
  }

  /** Counts the prompt even if no token was generated: the model may have read it. */
  countPrompt(): void {
    this.#isPromptUsed = true;
  }

  /** When the first token was counted, by `performance.now()`. */
  get firstTokenAt(): number | undefined {
    return this.#firstTokenAt;
  }

  /** Sets the usage that the engine reported; the last one counts. */
  report(usage: CompletionUsage): void {
    this.#reported = this.#bound(usage, this.#counted);
  }

  /** Notes metadata of the reply; the last of each counts. */
  describe({ service_tier: tier, system_fingerprint: fingerprint }: Metadata): void {
    if (tier !== undefined && tier !== 'auto') this.#tier = tier === 'fast' ? 'priority' : tier;
    this.#fingerprint = fingerprint ?? this.#fingerprint;
  }

  /** The tier that the engine used; undefined if it reported none. */
  get tier(): ServedTier | undefined {
    return this.#tier;
  }

  get fingerprint(): string | undefined {
    return this.#fingerprint;
  }

  /** Adds the finish reason of a choice. */
  addFinishReason(reason: string): void {
    this.#finishReasons.push(reason);
  }

  /** The finish reasons of the choices that have finished. */
  get finishReasons(): readonly string[] {
    return this.#finishReasons;
  }

  /** Whether the prompt's tokens in `current` are estimated: the engine did not report them. */
  get isEstimated(): boolean {
    return this.#lacksPrompt() && this.#prompt().isEstimated;
  }

  /** The best usage known so far, for clients, limits and usage records; zero for a reply that has not started. */
  get current(): CompletionUsage {
    const reported = this.#reported;
    // An early usage has the prompt's tokens, and not the tokens that were generated since. Some upstreams never report one of the two.
    const completion_tokens = reported && reported.completion_tokens > 0 ? reported.completion_tokens : this.#counted;
    const prompt_tokens = this.#lacksPrompt() ? this.#prompt().tokens : (reported?.prompt_tokens ?? 0);
    if (reported?.prompt_tokens === prompt_tokens && reported.completion_tokens === completion_tokens) return reported;
    return { ...reported, prompt_tokens, completion_tokens, total_tokens: addCounts(prompt_tokens, completion_tokens) };
  }

  /** Whether the prompt was used, and the engine did not report its tokens. */
  #lacksPrompt(): boolean {
    return (this.#reported?.prompt_tokens ?? 0) === 0 && this.#usesPrompt();
  }

  #usesPrompt(): boolean {
    // A reply that ended used the prompt, also if it has no text.
    return this.#isPromptUsed || this.#counted > 0 || this.#finishReasons.length > 0;
  }
}
