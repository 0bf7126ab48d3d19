import type { Dfa } from '../automaton/dfa.ts';

/** A place in a rule, before a byte. */
export interface Position {
  readonly id: number;
  /** The fewest bytes from here to the end of the rule. */
  readonly cost: number;
  /** What it leads to; computed on demand. */
  entry(): Entry;
  /** Whether the rule must end here, so that a call before it is a tail call. */
  isTail(): boolean;
  /** The number of active calls at this position, and the step of the matcher in which they were counted. */
  calls: number;
  callsStep: number;
  /** The first return of a call to it: a `Return` of the matcher, a type that this module does not import. */
  firstReturn: object | undefined;
}

/** What a position leads to before the next byte. */
export interface Entry {
  readonly terminals: readonly TerminalEdge[];
  readonly calls: readonly CallEdge[];
  /** Further positions that are reached without a byte, if they are too many for one entry. */
  readonly rest: readonly Position[];
  /** The rule can end here. */
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
