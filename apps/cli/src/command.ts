import type { Transport } from '@modelwire/core';
import type { Settings } from './config/settings.ts';
import type { Printer } from './output/printer.ts';
import type { Terminal } from './terminal.ts';

/** What can be completed after a flag or in the place of an argument, beside `choices`. */
export type Completes = 'file' | 'model' | 'profile';

export interface Flag {
  readonly type: 'string' | 'boolean' | 'number' | 'integer';
  readonly description: string;
  readonly short?: string;
  /** May be given more than once. */
  readonly multiple?: true;
  /** How its value is called in help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
  readonly min?: number;
  readonly max?: number;
  /** Works, and is in no help. */
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

/** What the flags came to. A boolean is false and a list empty where none was given. */
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
  /** Takes all that is left. Of the last argument alone. */
  readonly multiple?: true;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

export interface Example {
  readonly what: string;
  readonly line: string;
}

/** What a command is given. */
export interface Context<F extends Flags = Flags> {
  readonly flags: Values<F> & Values<typeof globalFlags>;
  readonly args: readonly string[];
  readonly terminal: Terminal;
  /** The table that the command stands in. */
  readonly table: readonly Entry[];
  readonly print: Printer;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** Profile, server, model. Read when first asked for. */
  settings(): Promise<Settings>;
  /** The connection to the server of the settings. */
  transport(): Promise<Transport>;
}

export interface Command<F extends Flags = Flags> {
  readonly arguments: readonly Argument[];
  readonly flags: F;
  /** What help says beneath the summary. */
  readonly description?: string;
  readonly examples: readonly Example[];
  /** Gives an exit code, or nothing for 0. */
  run(context: Context<F>): Promise<number | undefined>;
}

/** A command, its flags typed by their table. */
export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}

/** A place in the table of commands. */
export interface Leaf {
  readonly name: string;
  readonly summary: string;
  readonly hidden?: true;
  load(): Promise<{ readonly command: Command }>;
}

export interface Group {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Leaf[];
}

export type Entry = Leaf | Group;

/** Flags that every command takes, before its name and after. */
export const globalFlags = {
  json: { type: 'boolean', description: 'JSON, one value on each line, instead of words and tables' },
  profile: {
    type: 'string',
    value: 'name',
    completes: 'profile',
    description: 'the profile to use (MODELWIRE_PROFILE)',
  },
  'base-url': {
    type: 'string',
    value: 'url',
    description: 'the server, with its version prefix (MODELWIRE_BASE_URL)',
  },
  'key-file': {
    type: 'string',
    value: 'file',
    completes: 'file',
    description: 'a file that holds the key; - is stdin',
  },
  timeout: { type: 'number', value: 'seconds', min: 0, description: 'give a request up after so long' },
  retries: { type: 'integer', value: 'n', min: 0, description: 'attempts after the first; default 2' },
  quiet: { type: 'boolean', short: 'q', description: 'no progress and no notes on stderr' },
  verbose: { type: 'boolean', short: 'v', description: 'each request on stderr, with status, time and id' },
  'no-color': { type: 'boolean', description: 'no colours (NO_COLOR)' },
  help: { type: 'boolean', short: 'h', description: 'this help' },
  version: { type: 'boolean', hidden: true, description: 'the version' },
} as const satisfies Flags;
