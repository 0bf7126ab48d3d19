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
  const prefix = words.at(-1) ?? '';
  const previousWords = words.slice(0, -1);
  const position = { words: previousWords, terminal };
  const { entries, leaf, commandWords } = resolveCommand(previousWords, table);
  if (leaf === undefined) {
    const flag = flagWithoutValue(previousWords.at(-1), globalFlags);
    if (flag !== undefined) return valuesOf(flag, prefix, position);
    if (prefix.startsWith('-')) return matchingFlags(prefix, globalFlags);
    return matchingCandidates(prefix, entryCandidates(entries));
  }
  const command = await leaf.load();
  const flags: Flags = { ...globalFlags, ...command.flags };
  const [, flagName, partialValue] = /^--([\w-]+)=(.*)$/.exec(prefix) ?? [];
  if (flagName !== undefined && partialValue !== undefined) {
    const { words: values, files } = await valuesOf(flags[flagName], partialValue, position);
    return { files, words: values.map((each) => ({ ...each, word: `--${flagName}=${each.word}` })) };
  }
  const flag = flagWithoutValue(previousWords.at(-1), flags);
  if (flag !== undefined) return valuesOf(flag, prefix, position);
  if (prefix.startsWith('-')) return matchingFlags(prefix, flags);
  return argumentCandidates(command, commandWords, flags, prefix, position, table);
}

/** Finds the command in the table, ignoring options. */
function resolveCommand(
  words: readonly string[],
  table: readonly Entry[],
): {
  entries: readonly Entry[];
  leaf: Leaf | undefined;
  commandWords: readonly string[];
} {
  let entries = table;
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-') || flagWithoutValue(words[index - 1], globalFlags) !== undefined) continue;
    const entry = entries.find(({ name }) => name === word);
    if (entry === undefined) return { entries: [], leaf: undefined, commandWords: [] };
    if (!('commands' in entry)) return { entries, leaf: entry, commandWords: words.slice(index + 1) };
    entries = entry.commands;
  }
  return { entries, leaf: undefined, commandWords: [] };
}

function flagWithoutValue(word: string | undefined, flags: Flags): Flag | undefined {
  if (word === undefined || !word.startsWith('-') || word.includes('=')) return undefined;
  const found = Object.entries(flags).find(([name, { short }]) => word === `--${name}` || word === `-${short ?? ''}`);
  return found === undefined || found[1].type === 'boolean' ? undefined : found[1];
}

async function valuesOf(flag: Flag | undefined, prefix: string, position: Position): Promise<Candidates> {
  if (flag?.choices !== undefined) return matchingCandidates(prefix, flag.choices);
  return candidatesFor(flag?.completes, prefix, position);
}

async function argumentCandidates(
  command: Command,
  commandWords: readonly string[],
  flags: Flags,
  prefix: string,
  position: Position,
  table: readonly Entry[],
): Promise<Candidates> {
  const positionals = commandWords.filter(
    (word, index) => !word.startsWith('-') && flagWithoutValue(commandWords[index - 1], flags) === undefined,
  );
  const lastArgument = command.arguments.at(-1);
  const argument =
    command.arguments[positionals.length] ?? (lastArgument?.multiple === true ? lastArgument : undefined);
  if (argument?.choices !== undefined) return matchingCandidates(prefix, argument.choices);
  // The words after `help` are a command line themselves.
  if (argument?.completes === 'command') {
    const { entries, leaf: found } = resolveCommand(positionals, table);
    return found === undefined ? matchingCandidates(prefix, entryCandidates(entries)) : NONE;
  }
  return candidatesFor(argument?.completes, prefix, position);
}

async function candidatesFor(
  kind: CompletionKind | undefined,
  prefix: string,
  { words, terminal }: Position,
): Promise<Candidates> {
  switch (kind) {
    case 'file':
      return { words: [], files: true };
    case 'profile': {
      const { readConfiguration } = await import('../config/profiles.ts');
      const { profiles } = await readConfiguration(terminal);
      return matchingCandidates(prefix, Object.keys(profiles));
    }
    case 'model': {
      const { modelIds } = await import('./model-ids.ts');
      return matchingCandidates(prefix, await modelIds(terminal, settingsIn(words)));
    }
    case 'chat': {
      const { conversationIds } = await import('../chat/conversation.ts');
      return matchingCandidates(prefix, await conversationIds(terminal));
    }
    case 'command':
    case undefined:
      return NONE;
  }
}

/** The options of the command line that select the server. A key from stdin is not read here. */
function settingsIn(words: readonly string[]): SettingsFlags {
  const valueOf = (name: string): string | undefined => {
    const index = words.findLastIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`));
    const word = words[index];
    return word?.includes('=') === true ? word.slice(name.length + 3) : index === -1 ? undefined : words[index + 1];
  };
  const file = valueOf('key-file');
  return { profile: valueOf('profile'), 'base-url': valueOf('base-url'), 'key-file': file === '-' ? undefined : file };
}

function matchingFlags(prefix: string, flags: Flags): Candidates {
  const visible = Object.entries(flags).filter(([, { hidden }]) => hidden !== true);
  return matchingCandidates(
    prefix,
    visible.map(([name, { description }]) => ({ word: `--${name}`, summary: description })),
  );
}

function matchingCandidates(prefix: string, words: readonly (Candidate | string)[]): Candidates {
  const candidates = words.map((each) => (typeof each === 'string' ? { word: each } : each));
  return { words: candidates.filter(({ word }) => word.startsWith(prefix)), files: false };
}

function entryCandidates(entries: readonly Entry[]): Candidate[] {
  return visible(entries).map(({ name, summary }) => ({ word: name, summary }));
}
