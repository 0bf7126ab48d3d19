import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { App, GlobalOptions } from '../app.ts';

/** Completions of a word. Files are completed by the shell. */
export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly files: boolean;
}

interface Candidate {
  readonly word: string;
  readonly summary?: string;
}

/** An option or an argument whose value is completed. */
interface Completed {
  /** Its placeholder, which tells what its values are. */
  readonly placeholder: string | undefined;
  readonly choices: readonly string[] | undefined;
}

const NONE: Candidates = { candidates: [], files: false };

/** Completes the last word: commands, options, and values of options and arguments. */
export async function candidatesOf(words: readonly string[], app: App): Promise<Candidates> {
  const word = words.at(-1) ?? '';
  const previous = words.slice(0, -1);
  // The words after `help` are a command line themselves.
  if (previous[0] === 'help') return commandsAfter(previous.slice(1), word, app);
  try {
    return await complete(previous, word, app);
  } catch {
    // A word before this one is invalid, or the server does not respond.
    return NONE;
  }
}

async function commandsAfter(names: readonly string[], prefix: string, app: App): Promise<Candidates> {
  let command: CommandUnknownOpts | undefined = await app.commandLine(names);
  for (const name of names) command = command?.commands.find((each) => each.name() === name);
  return command === undefined ? NONE : matching(prefix, subcommandsOf(command));
}

async function complete(previous: readonly string[], word: string, app: App): Promise<Candidates> {
  const last = previous.at(-1) ?? '';
  // An option without its value cannot be parsed.
  const complete = last.startsWith('-') && last !== '--' ? previous.slice(0, -1) : previous;
  const { command, operands } = await parse(complete, app);
  const options = command.createHelp().visibleOptions(command);
  const completedOption = (flag: string): Completed | undefined => {
    const option = options.find(({ long, short, required }) => required && (flag === long || flag === short));
    return option && { placeholder: /<(.+)>/.exec(option.flags)?.[1], choices: option.argChoices };
  };

  const [, flag, partial = ''] = /^(--[\w-]+)=(.*)$/.exec(word) ?? [];
  if (flag !== undefined) {
    const { candidates, files } = await valuesOf(completedOption(flag), partial, app);
    return { files, candidates: candidates.map((each) => ({ ...each, word: `${flag}=${each.word}` })) };
  }
  const option = completedOption(last);
  if (option !== undefined) return valuesOf(option, word, app);
  if (word.startsWith('-')) {
    return matching(
      word,
      options.map(({ long = '', description }) => ({ word: long, summary: description })),
    );
  }
  if (command.commands.length > 0) return operands.length > 0 ? NONE : matching(word, subcommandsOf(command));
  const { registeredArguments: args } = command;
  const lastArgument = args.at(-1);
  const argument = args[operands.length] ?? (lastArgument?.variadic === true ? lastArgument : undefined);
  return valuesOf(argument && { placeholder: argument.name(), choices: argument.argChoices }, word, app);
}

/** Finds the command of the words, and sets the global options. */
async function parse(
  words: readonly string[],
  app: App,
): Promise<{ readonly command: CommandUnknownOpts; readonly operands: readonly string[] }> {
  let command = await app.commandLine(words);
  for (let rest = [...words]; ;) {
    const { operands, unknown } = command.parseOptions(rest);
    const next = command.commands.find((each) => each.name() === operands[0]);
    if (next === undefined) {
      // A key from stdin is not read here.
      const { keyFile, ...options }: GlobalOptions = command.optsWithGlobals();
      app.options = keyFile === '-' ? options : { ...options, keyFile };
      return { command, operands };
    }
    command = next;
    rest = [...operands.slice(1), ...unknown];
  }
}

async function valuesOf(completed: Completed | undefined, prefix: string, app: App): Promise<Candidates> {
  if (completed?.choices !== undefined)
    return matching(
      prefix,
      completed.choices.map((word) => ({ word })),
    );
  const values = await knownValues(completed?.placeholder, app);
  return values === 'files'
    ? { candidates: [], files: true }
    : matching(
        prefix,
        values.map((word) => ({ word })),
      );
}

async function knownValues(placeholder: string | undefined, app: App): Promise<readonly string[] | 'files'> {
  switch (placeholder) {
    case 'file':
    case 'path':
      return 'files';
    case 'profile': {
      const { readConfiguration } = await import('../config/profiles.ts');
      return Object.keys((await readConfiguration(app.terminal)).profiles);
    }
    case 'chat-id': {
      const { conversationIds } = await import('../chat/conversation.ts');
      return conversationIds(app.terminal);
    }
    case 'model': {
      // The user waits for the completion.
      const call = { maxRetries: 0, timeouts: { total: 1000 } };
      const { data } = await (await app.client()).models.list(call);
      return data.map(({ id }) => id);
    }
    default:
      return [];
  }
}

function subcommandsOf(command: CommandUnknownOpts): Candidate[] {
  const commands = command.createHelp().visibleCommands(command);
  return commands.map((each) => ({ word: each.name(), summary: each.summary() }));
}

function matching(prefix: string, candidates: readonly Candidate[]): Candidates {
  return { candidates: candidates.filter(({ word }) => word.startsWith(prefix)), files: false };
}
