import { describeFailure } from './command-failure.ts';
import { ConfigError } from './config/config-error.ts';
import type { Settings } from './settings.ts';

/** What a command prints, and its exit code. Default 0. */
export interface CommandResult {
  readonly output: string;
  readonly exitCode?: 0 | 1;
}

/** A command of the program whose only argument is a folder. */
export type FolderCommand = (settings: Settings, folder: string) => Promise<CommandResult>;

/**
 * Runs a command.
 *
 * @throws ConfigError with the message `<command>: <message>` for every failure that an operator can expect. With the log level `debug` or
 * `trace`, it includes the stack trace. Other errors are programming errors.
 */
export async function runFolderCommand(
  name: string,
  run: FolderCommand,
  settings: Settings,
  folder: string,
): Promise<CommandResult> {
  try {
    return await run(settings, folder);
  } catch (error) {
    // Always one line, also if an ID or a path contains line feeds.
    const description = describeFailure(error)?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
    if (description === undefined) throw error;
    const message = description.startsWith(`${name}: `) ? description : `${name}: ${description}`;
    const withStack = settings.logLevel === 'debug' || settings.logLevel === 'trace';
    const stack = withStack && error instanceof Error ? `\n${error.stack ?? ''}` : '';
    throw new ConfigError(message + stack, { cause: error });
  }
}
