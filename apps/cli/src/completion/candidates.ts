import { globalFlags } from '../command.ts';
import type { Command, Completes, Entry, Flag, Flags, Leaf } from '../command.ts';
import { shown } from '../help.ts';
import type { Terminal } from '../terminal.ts';

/** What a word may become. Files are the shell's own business. */
export interface Candidates {
  readonly words: readonly Candidate[];
  readonly files: boolean;
}

export interface Candidate {
  readonly word: string;
  readonly summary?: string;
}

const NOTHING: Candidates = { words: [], files: false };

/** What the last of these words may become: commands, flags, and values of flags and arguments. Made from the table of commands. */
export async function candidatesOf(
  words: readonly string[],
  terminal: Terminal,
  table: readonly Entry[],
): Promise<Candidates> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { entries, leaf, rest } = walk(before, table);
  if (leaf === undefined) {
    const open = flagThatWaits(before.at(-1), globalFlags);
    if (open !== undefined) return valuesOf(open, typed, terminal);
    if (typed.startsWith('-')) return flagsLike(typed, globalFlags);
    return like(
      typed,
      shown(entries).map(({ name, summary }) => ({ word: name, summary })),
    );
  }
  const { command } = await leaf.load();
  const flags: Flags = { ...globalFlags, ...command.flags };
  const [, named, sofar] = /^--([\w-]+)=(.*)$/.exec(typed) ?? [];
  if (named !== undefined && sofar !== undefined) {
    const { words: values, files } = await valuesOf(flags[named], sofar, terminal);
    return { files, words: values.map((each) => ({ ...each, word: `--${named}=${each.word}` })) };
  }
  const waiting = flagThatWaits(before.at(-1), flags);
  if (waiting !== undefined) return valuesOf(waiting, typed, terminal);
  if (typed.startsWith('-')) return flagsLike(typed, flags);
  return argumentLike(command, rest, flags, typed, terminal);
}

/** Goes down the table along the words that are no flags. */
function walk(
  words: readonly string[],
  table: readonly Entry[],
): {
  entries: readonly Entry[];
  leaf: Leaf | undefined;
  rest: readonly string[];
} {
  let entries = table;
  for (const [at, word] of words.entries()) {
    if (word.startsWith('-') || flagThatWaits(words[at - 1], globalFlags) !== undefined) continue;
    const entry = entries.find(({ name }) => name === word);
    if (entry === undefined) return { entries: [], leaf: undefined, rest: [] };
    if (!('commands' in entry)) return { entries, leaf: entry, rest: words.slice(at + 1) };
    entries = entry.commands;
  }
  return { entries, leaf: undefined, rest: [] };
}

function flagThatWaits(word: string | undefined, flags: Flags): Flag | undefined {
  if (word === undefined || !word.startsWith('-') || word.includes('=')) return undefined;
  const found = Object.entries(flags).find(([name, { short }]) => word === `--${name}` || word === `-${short ?? ''}`);
  return found === undefined || found[1].type === 'boolean' ? undefined : found[1];
}

async function valuesOf(flag: Flag | undefined, typed: string, terminal: Terminal): Promise<Candidates> {
  if (flag?.choices !== undefined)
    return like(
      typed,
      flag.choices.map((word) => ({ word })),
    );
  return completed(flag?.completes, typed, terminal);
}

async function argumentLike(
  command: Command,
  rest: readonly string[],
  flags: Flags,
  typed: string,
  terminal: Terminal,
): Promise<Candidates> {
  const taken = rest.filter((word, at) => !word.startsWith('-') && flagThatWaits(rest[at - 1], flags) === undefined);
  const last = command.arguments.at(-1);
  const argument = command.arguments[taken.length] ?? (last?.multiple === true ? last : undefined);
  if (argument?.choices !== undefined)
    return like(
      typed,
      argument.choices.map((word) => ({ word })),
    );
  return completed(argument?.completes, typed, terminal);
}

async function completed(what: Completes | undefined, typed: string, terminal: Terminal): Promise<Candidates> {
  switch (what) {
    case 'file':
      return { words: [], files: true };
    case 'profile': {
      const { readConfiguration } = await import('../config/profiles.ts');
      const { profiles } = await readConfiguration(terminal);
      return like(
        typed,
        Object.keys(profiles).map((word) => ({ word })),
      );
    }
    case 'model': {
      const { modelIds } = await import('./model-ids.ts');
      return like(
        typed,
        (await modelIds(terminal)).map((word) => ({ word })),
      );
    }
    case undefined:
      return NOTHING;
  }
}

function flagsLike(typed: string, flags: Flags): Candidates {
  const visible = Object.entries(flags).filter(([, { hidden }]) => hidden !== true);
  return like(
    typed,
    visible.map(([name, { description }]) => ({ word: `--${name}`, summary: description })),
  );
}

function like(typed: string, words: readonly Candidate[]): Candidates {
  return { words: words.filter(({ word }) => word.startsWith(typed)), files: false };
}
