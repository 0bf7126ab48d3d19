import type { Transport } from '@modelwire/core';
import type { Settings } from './config/settings.ts';
import type { Printer } from './output/printer.ts';
import type { Terminal } from './terminal.ts';

/** The kind of values that the shell completes, besides `choices`. */
export type CompletionKind = 'file' | 'model' | 'profile' | 'chat' | 'command';

export interface Flag {
  readonly type: 'string' | 'boolean' | 'number' | 'integer';
  readonly description: string;
  readonly short?: string;
  /** Can be given more than once. */
  readonly multiple?: true;
  /** Placeholder for the value in the help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly completes?: CompletionKind;
  readonly min?: number;
  readonly max?: number;
  /** Not shown in the help. */
  readonly hidden?: true;
}

export type Flags = Readonly<Record<string, Flag>>;

type Single<F extends Flag> = F['type'] extends 'boolean'
  ? boolean
  : F['type'] extends 'string'
    ? F extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string
    : number;

/** Parsed values of flags. A boolean is false and a list is empty when the flag is not given. */
export type Values<F extends Flags> = {
  readonly [Name in keyof F]: F[Name] extends { readonly multiple: true }
    ? readonly Single<F[Name]>[]
    : F[Name]['type'] extends 'boolean'
      ? boolean
      : Single<F[Name]> | undefined;
};

export interface Argument {
  readonly name: string;
  readonly description: string;
  readonly optional?: true;
  /** Takes all remaining arguments. Only for the last one. */
  readonly multiple?: true;
  readonly choices?: readonly string[];
  readonly completes?: CompletionKind;
}

export interface Example {
  readonly what: string;
  readonly line: string;
}

/** What a command is run with. */
export interface Context<F extends Flags = Flags> {
  readonly flags: Values<F> & Values<typeof globalFlags>;
  readonly args: readonly string[];
  readonly terminal: Terminal;
  /** The table that contains the command. */
  readonly table: readonly Entry[];
  readonly print: Printer;
  /** Aborts on Ctrl-C. */
  readonly signal: AbortSignal;
  /** Profile, server and model. Read on the first call. */
  settings(): Promise<Settings>;
  /** Connection to the configured server, opened on the first call. */
  transport(): Promise<Transport>;
}

export interface Command<F extends Flags = Flags> {
  readonly arguments: readonly Argument[];
  readonly flags: F;
  /** Shown in the help below the summary. */
  readonly description?: string;
  readonly examples: readonly Example[];
  /** Returns an exit code; `undefined` means 0. */
  run(context: Context<F>): Promise<number | undefined>;
}

/** Returns the command, with its flags typed. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}

/** A command in the table. It is loaded when it is run. */
export interface Leaf {
  readonly name: string;
  readonly summary: string;
  readonly hidden?: true;
  load(): Promise<Command>;
}

export interface Group {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Leaf[];
}

export type Entry = Leaf | Group;

/** Flags that every command accepts, before or after its name. */
export const globalFlags = {
  json: { type: 'boolean', description: 'Print JSON, one value per line' },
  profile: { type: 'string', value: 'name', completes: 'profile', description: 'Profile to use (MODELWIRE_PROFILE)' },
  'base-url': {
    type: 'string',
    value: 'url',
    description: 'Base URL of the server, usually ending in /v1 (MODELWIRE_BASE_URL)',
  },
  'key-file': {
    type: 'string',
    value: 'file',
    completes: 'file',
    description: 'Read the API key from a file; - reads stdin',
  },
  timeout: { type: 'number', value: 'seconds', min: 0, description: 'Time limit of a request, in seconds' },
  retries: { type: 'integer', value: 'n', min: 0, description: 'Maximum number of retries (default: 2)' },
  quiet: { type: 'boolean', short: 'q', description: 'Do not print progress and notes on stderr' },
  verbose: { type: 'boolean', short: 'v', description: 'Log each request on stderr: status, request ID, duration' },
  'no-color': { type: 'boolean', description: 'Disable colors (NO_COLOR)' },
  help: { type: 'boolean', short: 'h', description: 'Show help' },
  version: { type: 'boolean', hidden: true, description: 'Show the version' },
} as const satisfies Flags;
