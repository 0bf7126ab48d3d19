import type { CompilationCost } from './budget.ts';
import type { Steps } from './steps.ts';

/** A compiled grammar. Its states share cached transitions: reuse a grammar for many texts. */
export type Grammar = {
  /** The state before the first byte. */
  start(): State;
  /** The cost of the compilation, which is the same on every machine. */
  readonly cost: CompilationCost;
};

/**
 * A state of the matcher after some text. States are immutable and can be kept. Methods that follow the text throw a `GrammarError`
 * with the code `limit` if it has too many derivations.
 */
export type State = {
  /** The state after more text, or `undefined` if the grammar does not allow it. Bytes can be split anywhere, even within characters. */
  advance(more: string | Uint8Array): State | undefined;
  /** The state after one byte (0 to 255), or `undefined` if the grammar does not allow it. */
  advanceByte(byte: number): State | undefined;
  /** Whether the text can end here. */
  canEnd(): boolean;
  /** Whether the text must end here. */
  mustEnd(): boolean;
  /** The bytes that can come next, in ascending order. */
  nextBytes(): number[];
  /**
   * The longest common prefix of all continuations, in whole characters and at most 4,096 bytes. Empty if the text can end here or
   * several bytes can come next.
   */
  forced(): string;
  /**
   * A shortest text that completes the current one; empty if it can end here. Within a multi-byte character, use `completionBytes`:
   * the remaining bytes of the character cannot be returned as text.
   */
  shortestCompletion(): string;
  /** The bytes of a shortest completion. */
  completionBytes(): Uint8Array;
  /** Computes `completionBytes` in steps. */
  completionSteps(): Steps<Uint8Array>;
};
