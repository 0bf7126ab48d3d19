import type { Spent } from './budget.ts';
import type { Steps } from './steps.ts';

/** A compiled grammar. Its states share what they learn, so keep one grammar for many texts. */
export type Grammar = {
  /** The state before the first byte. */
  start(): State;
  /** What compiling took: deterministic steps of work, and states of automata. */
  readonly cost: Spent;
};

/** How far a text has come. States never change; hold as many as you like. */
export type State = {
  /** The state after more text, or `undefined` where no text of the grammar goes on like this. Any split of bytes is fine. */
  advance(more: string | Uint8Array): State | undefined;
  /** The state after one byte (0 to 255). */
  advanceByte(byte: number): State | undefined;
  /** Whether the text may end here. */
  canEnd(): boolean;
  /** Whether nothing can follow. */
  mustEnd(): boolean;
  /** The bytes that may come next, in order. */
  nextBytes(): number[];
  /** What must come next: the longest text that every continuation begins with. Empty where there is a choice, or an end. */
  forced(): string;
  /**
   * A shortest text that ends the grammar from here, empty where it may end already. Within a character of several bytes
   * its remaining bytes are no text: see `completionBytes`.
   */
  shortestCompletion(): string;
  /** The bytes of a shortest way to the end. */
  completionBytes(): Uint8Array;
  /** The same in steps. */
  completionSteps(): Steps<Uint8Array>;
};
