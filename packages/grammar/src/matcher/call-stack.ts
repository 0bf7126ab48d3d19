import type { Dfa } from '../automaton/dfa.ts';
import type { Position } from '../network/position.ts';

/** Where a rule continues after a call has ended. */
export class Return {
  readonly id: number;
  readonly position: Position;
  readonly frame: Frame;
  readonly cost: number;
  /** The step of the latest return to it. */
  step = -1;
  /** The frame with only this return: usually the one needed, without a look-up. */
  onlyFrame: Frame | undefined;
  /** The first few threads that continue here, as a linked list, the latest one first. */
  latestThread: Thread | undefined;

  constructor(id: number, position: Position, frame: Frame) {
    this.id = id;
    this.position = position;
    this.frame = frame;
    this.cost = position.cost + frame.cost;
  }
}

/** An active call: all its return points. Frames are immutable, and equal ones are shared. */
export type Frame = {
  id: number;
  root: boolean;
  returns: readonly Return[];
  cost: number;
  /** Nested calls. */
  depth: number;
  /** The first return to this frame: often the one needed, without a look-up. */
  first: Return | undefined;
};

/** An active terminal and where to continue after it. */
export type Thread = {
  id: number;
  dfa: Dfa;
  state: number;
  returnPoint: Return;
  /** The state with only this thread: a `MatcherState`, a type that this module does not import. */
  onlyState: object | undefined;
  /** The thread before it in the list of the return. */
  previous: Thread | undefined;
};

/** What can follow some returns: terminals that start, and whether the text can end. */
export type Closure = { threads: readonly Thread[]; canEnd: boolean };
