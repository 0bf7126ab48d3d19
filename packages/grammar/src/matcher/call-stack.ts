import type { Dfa } from '../automaton/dfa.ts';
import type { Position } from '../network/position.ts';

/** A return point: the position at which a rule continues after a call, and the frame of that rule. */
export class Return {
  readonly id: number;
  readonly position: Position;
  readonly frame: Frame;
  /** The minimum number of bytes from here to the end of the text. */
  readonly cost: number;
  /** The last step of the matcher that returned here. */
  step = -1;
  /** The frame whose only return point is this one: usually the one needed, found without a lookup. */
  onlyFrame: Frame | undefined;
  /** The first few threads that continue here, as a linked list with the latest one first. */
  latestThread: Thread | undefined;

  constructor(id: number, position: Position, frame: Frame) {
    this.id = id;
    this.position = position;
    this.frame = frame;
    this.cost = position.cost + frame.cost;
  }
}

/** An active call with all its return points: a node of the graph-structured stack. Frames are immutable, and equal ones are shared. */
export type Frame = {
  id: number;
  /** Whether the text can end when the call returns. */
  root: boolean;
  returns: readonly Return[];
  /** The minimum number of bytes from the end of the call to the end of the text. */
  cost: number;
  /** The number of nested calls. */
  depth: number;
  /** The first return point within this frame: often the one needed, found without a lookup. */
  first: Return | undefined;
};

/** A terminal that is being matched, the state of its automaton, and the return point at which the matcher continues after it. */
export type Thread = {
  id: number;
  dfa: Dfa;
  state: number;
  returnPoint: Return;
  /** The `MatcherState` whose only thread is this one. Not typed as such, because this module must not import it. */
  onlyState: object | undefined;
  /** The previous thread in the list of the return point. */
  previous: Thread | undefined;
};

/** The closure of some return points: the terminals that can start there without consuming a byte, and whether the text can end. */
export type Closure = { threads: readonly Thread[]; canEnd: boolean };
