import { describeFailures } from './command-failure.ts';
import type { Settings } from '../config/settings.ts';

/** What a command prints, and its exit code. Default 0. */
export interface CommandResult {
  readonly output: string;
  readonly exitCode?: 0 | 1;
}

/** A command of the program whose only argument is a folder. */
export type FolderCommand = (settings: Settings, folder: string) => Promise<CommandResult>;

/** Runs a command whose only argument is a folder. @throws ConfigError as `describeFailures` does. */
export function runFolderCommand(
  name: string,
  run: FolderCommand,
  settings: Settings,
  folder: string,
): Promise<CommandResult> {
  return describeFailures(name, settings, () => run(settings, folder));
}
