import type { Settings } from './settings.ts';

/** What a command prints, and its exit code. Default 0. */
export interface CommandResult {
  readonly output: string;
  readonly exitCode?: 0 | 1;
}

/** A command of the program whose only argument is a folder. */
export type FolderCommand = (settings: Settings, folder: string) => Promise<CommandResult>;
