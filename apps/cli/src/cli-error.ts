import type { ExitCode } from './exit-codes.ts';
import { EXIT } from './exit-codes.ts';

/** Ends a command with a message for the user and an exit code for scripts. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: ExitCode;
  /** How to fix it, printed on a separate line. */
  readonly hint: string | undefined;

  constructor(code: ExitCode, message: string, hint?: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

export const usageError = (message: string, hint?: string): CliError => new CliError(EXIT.usage, message, hint);
export const configError = (message: string, hint?: string): CliError => new CliError(EXIT.config, message, hint);
