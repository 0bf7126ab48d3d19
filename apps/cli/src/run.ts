import { EXIT } from './exit-codes.ts';
import { parseArguments } from './arguments.ts';
import type { Context } from './command.ts';
import { commands } from './commands.ts';
import { findCommand } from './find-command.ts';
import { createPrinter } from './output/printer.ts';
import type { Printer } from './output/printer.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command and resolves with its exit code. Never rejects. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  // Read before the words are parsed, so that a parse error is printed in the requested format.
  const options = words.slice(0, indexOrEnd(words, '--'));
  const print = createPrinter(terminal, {
    json: options.includes('--json'),
    quiet: options.includes('--quiet') || options.includes('-q'),
    noColor: options.includes('--no-color'),
  });
  const abort = new AbortController();
  const release = terminal.onInterrupt(() => {
    // A second Ctrl-C exits without waiting for the command to clean up.
    if (abort.signal.aborted) terminal.quit(EXIT.interrupted);
    abort.abort();
  });
  const errorContext: { baseURL?: string } = {};
  try {
    return await runCommand(words, { terminal, print, signal: abort.signal, errorContext });
  } catch (error) {
    return await printError(error, print, abort.signal.aborted, errorContext.baseURL);
  } finally {
    release();
  }
}

interface Environment {
  readonly terminal: Terminal;
  readonly print: Printer;
  readonly signal: AbortSignal;
  /** Set once the settings are read. */
  readonly errorContext: { baseURL?: string };
}

async function runCommand(words: readonly string[], environment: Environment): Promise<number> {
  const { print } = environment;
  const { path, remainingWords } = findCommand(words, commands);
  const command = await path.leaf?.load();
  const parsed = parseArguments(remainingWords, command ?? { arguments: [], flags: {} });
  if (command === undefined && parsed.flags.version && path.group === undefined) {
    const { version } = await import('./version.ts');
    await print.text(`${version}\n`);
    return EXIT.ok;
  }
  if (command === undefined || parsed.flags.help) {
    const { helpText } = await import('./help.ts');
    await print.raw(await helpText(path, commands));
    return EXIT.ok;
  }
  return (await command.run(createContext(parsed, environment))) ?? EXIT.ok;
}

/** Settings and the connection are created on first use, once. */
function createContext(
  { flags, args }: Pick<Context, 'flags' | 'args'>,
  { terminal, print, signal, errorContext }: Environment,
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
    errorContext.baseURL = found.baseURL.value;
    return found;
  }

  async function openTransport() {
    const { connect } = await import('./connection.ts');
    return connect(await context.settings(), flags, print);
  }
}

function indexOrEnd(words: readonly string[], word: string): number {
  const index = words.indexOf(word);
  return index === -1 ? words.length : index;
}

async function printError(
  error: unknown,
  print: Printer,
  isInterrupted: boolean,
  baseURL: string | undefined,
): Promise<number> {
  // Loads the errors of the clients, which a successful command does not need.
  const { describeError } = await import('./describe-error.ts');
  const { message, hint, code, fields } = describeError(error, baseURL);
  print.progress.clear();
  if (code === EXIT.brokenPipe) return code;
  if (code === EXIT.interrupted || isInterrupted) return EXIT.interrupted;
  if (print.json) print.problem({ error: { message, hint, exit_code: code, ...fields } });
  else print.error(message, hint);
  return code;
}
