import type { Command, CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Client, ConnectionOptions } from './connection.ts';
import type { Settings, SettingsOptions } from './config/settings.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Printer } from './output/printer.ts';
import type { Terminal } from './terminal.ts';

/** The options that every command accepts. */
export interface GlobalOptions extends SettingsOptions, ConnectionOptions {
  readonly json?: true;
}

/** What all commands share. */
export interface App {
  readonly terminal: Terminal;
  readonly print: Printer;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Set before a command runs. */
  options: GlobalOptions;
  /** Base URL of the server, once the settings are read. */
  baseURL: string | undefined;
  /** Exit code of a command that does not fail. */
  exitCode: ExitCode;
  /** The tree of commands. Only the command that the words name has its options and subcommands. */
  commandLine(words: readonly string[]): Promise<CommandUnknownOpts>;
  /** Profile, server and model. Read on the first call. */
  settings(): Promise<Settings>;
  /** The clients of the configured server, created on the first call. */
  client(): Promise<Client>;
}

/** Defines the arguments, options, subcommands and actions of a command. */
export type Define = (command: Command, app: App) => void;
