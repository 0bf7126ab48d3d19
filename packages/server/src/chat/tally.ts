import type { CompletionUsage } from '@modelwire/schema/types';

/** What a reply has cost so far: also one that is cut off or left has to be booked. */
export interface Tally {
  /** Tokens that were let through. */
  count(tokens: number): void;
  /** What the engine says; the last word is the right one. */
  say(usage: CompletionUsage): void;
  /** What the engine said of the whole reply; undefined where it never did. */
  readonly said: CompletionUsage | undefined;
  /** The best that is known at any time. */
  readonly spent: CompletionUsage;
}

export function createTally(): Tally {
  let counted = 0;
  let said: CompletionUsage | undefined;
  return {
    count(tokens) {
      counted += tokens;
    },
    say(usage) {
      said = usage;
    },
    get said() {
      return said;
    },
    get spent() {
      const prompt_tokens = said?.prompt_tokens ?? 0;
      // An engine that spoke early knows less of the completion than what was let through since.
      const completion_tokens = said && said.completion_tokens > 0 ? said.completion_tokens : counted;
      return { ...said, prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
    },
  };
}
