import { tokenize } from './arguments.ts';
import { globalFlags } from './command.ts';
import type { Entry, Group, Leaf } from './command.ts';
import { usageError } from './cli-error.ts';
import { nearest } from './nearest.ts';

export interface CommandPath {
  readonly names: readonly string[];
  readonly group: Group | undefined;
  readonly leaf: Leaf | undefined;
}

/** Splits a command line into the command and its arguments. Global options can come before the name of the command. */
export function findCommand(
  words: readonly string[],
  table: readonly Entry[],
): { readonly path: CommandPath; readonly rest: readonly string[] } {
  const rest = [...words];
  const first = takeName(rest, table);
  if (first === undefined) return { path: { names: [], group: undefined, leaf: undefined }, rest };
  if (!('commands' in first)) return { path: { names: [first.name], group: undefined, leaf: first }, rest };
  const second = takeName(rest, first.commands, first.name);
  if (second === undefined) return { path: { names: [first.name], group: first, leaf: undefined }, rest };
  return { path: { names: [first.name, second.name], group: first, leaf: second }, rest };
}

function takeName<E extends Entry>(words: string[], entries: readonly E[], groupName?: string): E | undefined {
  const at = firstPositional(words);
  const word = at === undefined ? undefined : words[at];
  if (at === undefined || word === undefined) return undefined;
  const entry = entries.find(({ name }) => name === word);
  if (entry === undefined) throw unknownCommand(word, entries, groupName);
  words.splice(at, 1);
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
