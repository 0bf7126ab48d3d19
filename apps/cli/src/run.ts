import { parseArgs } from 'node:util';
import { parseArguments } from './arguments.ts';
import { globalFlags } from './command.ts';
import type { Context, Entry, Group, Leaf } from './command.ts';
import { commands } from './commands.ts';
import { EXIT } from './exit-codes.ts';
import { usageFailure } from './failure.ts';
import { nearest } from './nearest.ts';
import { createPrinter } from './output/printer.ts';
import type { Printer } from './output/printer.ts';
import type { Terminal } from './terminal.ts';

/** Runs the program and gives its exit code. Never rejects; nothing outlives it but what the terminal holds. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  // Known before the words are understood, so that what is wrong with them is said in the form that was asked for.
  const said = words.slice(0, indexOrEnd(words, '--'));
  const print = createPrinter(terminal, {
    json: said.includes('--json'),
    quiet: said.includes('--quiet') || said.includes('-q'),
    noColor: said.includes('--no-color'),
  });
  const abort = new AbortController();
  const release = terminal.onInterrupt(() => {
    // The second one is from someone who does not want to wait.
    if (abort.signal.aborted) terminal.quit(EXIT.interrupted);
    abort.abort();
  });
  try {
    return await dispatch(words, terminal, print, abort.signal);
  } catch (error) {
    return await complain(error, print, abort.signal.aborted);
  } finally {
    release();
  }
}

async function dispatch(
  words: readonly string[],
  terminal: Terminal,
  print: Printer,
  signal: AbortSignal,
): Promise<number> {
  const { path, rest } = takeCommand(words);
  if (path.leaf === undefined) {
    // Neither a command nor a word: what there is of it.
    const { flags } = parseArguments(rest, { arguments: [], flags: {} });
    if (flags.version && path.group === undefined) {
      const { version } = await import('./version.ts');
      await print.text(`${version}\n`);
      return EXIT.ok;
    }
    const { groupHelp, programHelp } = await import('./help.ts');
    await print.raw(path.group === undefined ? programHelp(commands) : groupHelp(path.group));
    return EXIT.ok;
  }
  const { command } = await path.leaf.load();
  const parsed = parseArguments(rest, command);
  if (parsed.flags.help) {
    const { commandHelp } = await import('./help.ts');
    await print.raw(commandHelp(path.names, path.leaf, command));
    return EXIT.ok;
  }
  return (await command.run(contextOf(parsed, terminal, print, signal))) ?? EXIT.ok;
}

/** Settings and the connection are made when they are first asked for, and once. */
function contextOf(
  { flags, args }: Pick<Context, 'flags' | 'args'>,
  terminal: Terminal,
  print: Printer,
  signal: AbortSignal,
): Context {
  let settings: ReturnType<Context['settings']> | undefined;
  let transport: ReturnType<Context['transport']> | undefined;
  const context: Context = {
    flags,
    args,
    terminal,
    table: commands,
    print,
    signal,
    settings: () => (settings ??= openSettings()),
    transport: () => (transport ??= openTransport()),
  };
  return context;

  async function openSettings() {
    const { readSettings } = await import('./config/settings.ts');
    const found = await readSettings(terminal, flags);
    if (found.key !== undefined) print.hide(found.key.value);
    return found;
  }

  async function openTransport() {
    const { connect } = await import('./connection.ts');
    return connect(await context.settings(), flags, print);
  }
}

interface Found {
  readonly names: readonly string[];
  readonly group: Group | undefined;
  readonly leaf: Leaf | undefined;
}

/** The command among the words, and the words without its name. Flags of every command may stand before it. */
export function takeCommand(words: readonly string[]): { readonly path: Found; readonly rest: readonly string[] } {
  const rest = [...words];
  const first = takeName(rest, commands);
  if (first === undefined) return { path: { names: [], group: undefined, leaf: undefined }, rest };
  if (!('commands' in first)) return { path: { names: [first.name], group: undefined, leaf: first }, rest };
  const second = takeName(rest, first.commands, first.name);
  const names = [first.name, ...(second === undefined ? [] : [second.name])];
  return { path: { names, group: first, leaf: second }, rest };
}

function takeName<E extends Entry>(words: string[], entries: readonly E[], within?: string): E | undefined {
  const at = firstPositional(words);
  const word = at === undefined ? undefined : words[at];
  if (at === undefined || word === undefined) return undefined;
  const entry = entries.find(({ name }) => name === word);
  if (entry === undefined) throw unknownCommand(word, entries, within);
  words.splice(at, 1);
  return entry;
}

function unknownCommand(word: string, entries: readonly Entry[], within: string | undefined): Error {
  const whole = within === undefined ? word : `${within} ${word}`;
  const meant = nearest(
    word,
    entries.flatMap((entry) => ('hidden' in entry && entry.hidden === true ? [] : [entry.name])),
  );
  const prefix = within === undefined ? 'modelwire' : `modelwire ${within}`;
  return usageFailure(
    `There is no command "${whole}"`,
    meant === undefined ? `${prefix} --help lists them.` : `Did you mean ${prefix} ${meant}?`,
  );
}

/** Where the first word stands that is neither a flag nor the value of one. */
function firstPositional(words: readonly string[]): number | undefined {
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(globalFlags).map(([name, { type, ...rest }]) => [
        name,
        { type: type === 'boolean' ? ('boolean' as const) : ('string' as const), ...shortOf(rest) },
      ]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.find(({ kind }) => kind === 'positional')?.index;
}

function shortOf(flag: object): { readonly short?: string } {
  return 'short' in flag && typeof flag.short === 'string' ? { short: flag.short } : {};
}

function indexOrEnd(words: readonly string[], word: string): number {
  const at = words.indexOf(word);
  return at === -1 ? words.length : at;
}

async function complain(error: unknown, print: Printer, interrupted: boolean): Promise<number> {
  // Loads the errors of the clients, which a command that goes well need not.
  const { tell } = await import('./telling.ts');
  const told = tell(error);
  print.progress.clear();
  if (told.code === EXIT.brokenPipe) return told.code;
  if (told.code === EXIT.interrupted || interrupted) return EXIT.interrupted;
  const { message, hint, code, fields } = told;
  if (print.json) print.problem({ error: { message, hint, exit_code: code, ...fields } });
  else print.error(message, hint);
  return code;
}
