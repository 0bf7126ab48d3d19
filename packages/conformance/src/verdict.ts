import { isSuccess } from './exchange/answer.ts';
import type { Answer } from './exchange/answer.ts';

/** The server violates the API. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly answer: Answer | undefined;
  readonly fix: string | undefined;

  constructor(reason: string, answer?: Answer, fix?: string) {
    super(reason);
    this.answer = answer;
    this.fix = fix;
  }
}

/** The check does not apply here; the server is not at fault. */
export class Skip extends Error {
  override readonly name = 'Skip';
}

/** Throws a `Violation` unless the condition is true. */
export function assertConforms(answer: Answer, condition: boolean, reason: string, fix?: string): asserts condition {
  if (!condition) throw new Violation(reason, answer, fix);
}

/** Throws a `Violation` unless the status is 2xx. */
export function assertSuccess(answer: Answer): void {
  assertConforms(answer, isSuccess(answer), `The response has status ${answer.status}.`);
}
