import type { Answer } from './exchange/answer.ts';

/** The server did not do what the interface says. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly answer: Answer | undefined;
  readonly mend: string | undefined;

  constructor(why: string, answer?: Answer, mend?: string) {
    super(why);
    this.answer = answer;
    this.mend = mend;
  }
}

/** It cannot be decided here, through no fault of the server. */
export class Skip extends Error {
  override readonly name = 'Skip';
}

/** Throws a `Violation` unless it holds. */
export function holds(answer: Answer, condition: boolean, why: string, mend?: string): asserts condition {
  if (!condition) throw new Violation(why, answer, mend);
}
