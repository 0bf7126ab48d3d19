import type { Dfa } from '../automaton/dfa.ts';

/** A position within a rule. */
export interface Position {
  readonly id: number;
  /** The minimum number of bytes from here to the end of the rule. */
  readonly cost: number;
  /** What can come next. Computed on demand. */
  entry(): Entry;
  /** Whether the rule must end here, so that a call before it is a tail call. */
  isTail(): boolean;
  /** The number of active calls at this position, and the step of the matcher in which they were counted. */
  calls: number;
  callsStep: number;
  /** The first `Return` of the matcher to this position. Not typed as such, because this module must not import the matcher. */
  firstReturn: object | undefined;
}

/** What can come next at a position: terminals, calls, and the end of the rule. */
export interface Entry {
  readonly terminals: readonly TerminalEdge[];
  readonly calls: readonly CallEdge[];
  /** Positions that are reached without consuming a byte, but do not fit into this entry. */
  readonly rest: readonly Position[];
  /** Whether the rule can end here. */
  readonly final: boolean;
}

export interface TerminalEdge {
  readonly dfa: Dfa;
  readonly to: Position;
}

export interface CallEdge {
  readonly rule: number;
  readonly to: Position;
}
