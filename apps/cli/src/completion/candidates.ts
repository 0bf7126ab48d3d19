import { globalFlags } from '../command.ts';
import type { Command, CompletionKind, Entry, Flag, Flags, Leaf } from '../command.ts';
import { visible } from '../help.ts';
import type { SettingsFlags } from '../config/settings.ts';
import type { Terminal } from '../terminal.ts';

/** Completions of a word. Files are completed by the shell. */
export interface Candidates {
  readonly words: readonly Candidate[];
  readonly files: boolean;
}

export interface Candidate {
  readonly word: string;
  readonly summary?: string;
}

/** The words before the one that is completed. */
interface Position {
  readonly words: readonly string[];
  readonly terminal: Terminal;
}

const NONE: Candidates = { words: [], files: false };

/** Completes the last word: commands, options, and values of options and arguments. */
export async function candidatesOf(
  words: readonly string[],
  terminal: Terminal,
  table: readonly Entry[],
): Promise<Candidates> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const position = { words: before, terminal };
  const { entries, leaf, rest } = walk(before, table);
  if (leaf === undefined) {
    const flag = flagWithoutValue(before.at(-1), globalFlags);
    if (flag !== undefined) return valuesOf(flag, typed, position);
    if (typed.startsWith('-')) return matchingFlags(typed, globalFlags);
    return matching(typed, entryCandidates(entries));
  }
  const command = await leaf.load();
  const flags: Flags = { ...globalFlags, ...command.flags };
  const [, named, sofar] = /^--([\w-]+)=(.*)$/.exec(typed) ?? [];
  if (named !== undefined && sofar !== undefined) {
    const { words: values, files } = await valuesOf(flags[named], sofar, position);
    return { files, words: values.map((each) => ({ ...each, word: `--${named}=${each.word}` })) };
  }
  const flag = flagWithoutValue(before.at(-1), flags);
  if (flag !== undefined) return valuesOf(flag, typed, position);
  if (typed.startsWith('-')) return matchingFlags(typed, flags);
  return argumentCandidates(command, rest, flags, typed, position, table);
}

/** Finds the command in the table, ignoring options. */
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
    if (word.startsWith('-') || flagWithoutValue(words[at - 1], globalFlags) !== undefined) continue;
    const entry = entries.find(({ name }) => name === word);
    if (entry === undefined) return { entries: [], leaf: undefined, rest: [] };
    if (!('commands' in entry)) return { entries, leaf: entry, rest: words.slice(at + 1) };
    entries = entry.commands;
  }
  return { entries, leaf: undefined, rest: [] };
}

function flagWithoutValue(word: string | undefined, flags: Flags): Flag | undefined {
  if (word === undefined || !word.startsWith('-') || word.includes('=')) return undefined;
  const found = Object.entries(flags).find(([name, { short }]) => word === `--${name}` || word === `-${short ?? ''}`);
  return found === undefined || found[1].type === 'boolean' ? undefined : found[1];
}

async function valuesOf(flag: Flag | undefined, typed: string, position: Position): Promise<Candidates> {
  if (flag?.choices !== undefined) return matching(typed, flag.choices);
  return completed(flag?.completes, typed, position);
}

async function argumentCandidates(
  command: Command,
  rest: readonly string[],
  flags: Flags,
  typed: string,
  position: Position,
  table: readonly Entry[],
): Promise<Candidates> {
  const taken = rest.filter((word, at) => !word.startsWith('-') && flagWithoutValue(rest[at - 1], flags) === undefined);
  const last = command.arguments.at(-1);
  const argument = command.arguments[taken.length] ?? (last?.multiple === true ? last : undefined);
  if (argument?.choices !== undefined) return matching(typed, argument.choices);
  // The words after `help` are a command line themselves.
  if (argument?.completes === 'command') {
    const { entries, leaf: found } = walk(taken, table);
    return found === undefined ? matching(typed, entryCandidates(entries)) : NONE;
  }
  return completed(argument?.completes, typed, position);
}

async function completed(
  kind: CompletionKind | undefined,
  typed: string,
  { words, terminal }: Position,
): Promise<Candidates> {
  switch (kind) {
    case 'file':
      return { words: [], files: true };
    case 'profile': {
      const { readConfiguration } = await import('../config/profiles.ts');
      const { profiles } = await readConfiguration(terminal);
      return matching(typed, Object.keys(profiles));
    }
    case 'model': {
      const { modelIds } = await import('./model-ids.ts');
      return matching(typed, await modelIds(terminal, settingsIn(words)));
    }
    case 'chat': {
      const { conversationIds } = await import('../chat/conversation.ts');
      return matching(typed, await conversationIds(terminal));
    }
    case 'command':
    case undefined:
      return NONE;
  }
}

/** The options of the command line that select the server. A key from stdin is not read here. */
function settingsIn(words: readonly string[]): SettingsFlags {
  const valueOf = (name: string): string | undefined => {
    const at = words.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
    const word = words[at];
    return word?.includes('=') === true ? word.slice(name.length + 3) : at === -1 ? undefined : words[at + 1];
  };
  const file = valueOf('key-file');
  return { profile: valueOf('profile'), 'base-url': valueOf('base-url'), 'key-file': file === '-' ? undefined : file };
}

function matchingFlags(typed: string, flags: Flags): Candidates {
  const visible = Object.entries(flags).filter(([, { hidden }]) => hidden !== true);
  return matching(
    typed,
    visible.map(([name, { description }]) => ({ word: `--${name}`, summary: description })),
  );
}

function matching(typed: string, words: readonly (Candidate | string)[]): Candidates {
  const candidates = words.map((each) => (typeof each === 'string' ? { word: each } : each));
  return { words: candidates.filter(({ word }) => word.startsWith(typed)), files: false };
}

function entryCandidates(entries: readonly Entry[]): Candidate[] {
  return visible(entries).map(({ name, summary }) => ({ word: name, summary }));
}
