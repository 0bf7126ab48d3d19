import type { CompilationCost } from './budget.ts';
import type { Steps } from './steps.ts';

/** A compiled grammar. Its states share cached transitions, so reuse one grammar for many texts. */
export type Grammar = {
  /** The state before the first byte. */
  start(): State;
  /** The cost of compilation: deterministic steps of work, and automaton states. */
  readonly cost: CompilationCost;
};

/** The position in a text. States are immutable and can be kept. */
export type State = {
  /** The state after more text, or `undefined` if the grammar does not allow it. Bytes can be split anywhere. */
  advance(more: string | Uint8Array): State | undefined;
  /** The state after one byte (0 to 255). */
  advanceByte(byte: number): State | undefined;
  /** Whether the text can end here. */
  canEnd(): boolean;
  /** Whether the text must end here. */
  mustEnd(): boolean;
  /** The allowed next bytes, in order. */
  nextBytes(): number[];
  /** The forced text: the longest common prefix of all continuations. Empty before a choice or an end. */
  forced(): string;
  /**
   * A shortest completion, empty if the text can end here. Within a multi-byte character its remaining bytes are not text: see
   * `completionBytes`.
   */
  shortestCompletion(): string;
  /** The bytes of a shortest completion. */
  completionBytes(): Uint8Array;
  /** The same as a generator that yields between steps. */
  completionSteps(): Steps<Uint8Array>;
};
