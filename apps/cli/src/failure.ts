import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';

/** What a command ends with when it cannot go on: words for a person, a code for a script. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: ExitCode;
  /** How to go on, on a line of its own. */
  readonly hint: string | undefined;

  constructor(code: ExitCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

export const usageFailure = (message: string, hint?: string): Failure => new Failure(EXIT.usage, message, hint);
export const configFailure = (message: string, hint?: string): Failure => new Failure(EXIT.config, message, hint);
