import { tokenize } from './arguments.ts';
import { globalFlags } from './command.ts';
import type { Entry, Group, Leaf } from './command.ts';
import { usageError } from './cli-error.ts';
import { nearest } from '@modelwire/schema/nearest';

export interface CommandPath {
  readonly names: readonly string[];
  readonly group: Group | undefined;
  readonly leaf: Leaf | undefined;
}

/** Splits a command line into the command and its arguments. Global options can come before the name of the command. */
export function findCommand(
  words: readonly string[],
  table: readonly Entry[],
): { readonly path: CommandPath; readonly remainingWords: readonly string[] } {
  const remainingWords = [...words];
  const first = takeName(remainingWords, table);
  if (first === undefined) return { path: { names: [], group: undefined, leaf: undefined }, remainingWords };
  if (!('commands' in first)) return { path: { names: [first.name], group: undefined, leaf: first }, remainingWords };
  const second = takeName(remainingWords, first.commands, first.name);
  if (second === undefined) return { path: { names: [first.name], group: first, leaf: undefined }, remainingWords };
  return { path: { names: [first.name, second.name], group: first, leaf: second }, remainingWords };
}

function takeName<E extends Entry>(words: string[], entries: readonly E[], groupName?: string): E | undefined {
  const index = firstPositional(words);
  const word = index === undefined ? undefined : words[index];
  if (index === undefined || word === undefined) return undefined;
  const entry = entries.find(({ name }) => name === word);
  if (entry === undefined) throw unknownCommand(word, entries, groupName);
  words.splice(index, 1);
  return entry;
}

function unknownCommand(word: string, entries: readonly Entry[], groupName: string | undefined): Error {
  const prefix = groupName === undefined ? '' : `${groupName} `;
  const suggestion = nearest(
    word,
    entries.flatMap((entry) => ('hidden' in entry && entry.hidden === true ? [] : [entry.name])),
  );
  return usageError(
    `Unknown command "${prefix}${word}".`,
    suggestion === undefined
      ? `Run modelwire ${prefix}--help for a list of commands.`
      : `Did you mean modelwire ${prefix}${suggestion}?`,
  );
}

/** Index of the first word that is neither an option nor the value of one. */
function firstPositional(words: readonly string[]): number | undefined {
  return tokenize(words, globalFlags).tokens.find(({ kind }) => kind === 'positional')?.index;
}
