import { CommanderError } from '@commander-js/extra-typings';
import type { App } from './app.ts';
import { usageError } from './cli-error.ts';
import { createCommandLine } from './command-line.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { createPrinter } from './output/printer.ts';
import type { Printer } from './output/printer.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command and resolves with its exit code. Never rejects. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  // Read before the words are parsed, so that a parse error is printed in the requested format.
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
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
  const app = createApp(terminal, print, abort.signal);
  try {
    const commandLine = await app.commandLine(words);
    await commandLine.parseAsync(words, { from: 'user' });
    return app.exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) return await printError(error, app);
    return error.exitCode === 0 || error.code === 'commander.help' ? EXIT.ok : await printError(parseError(error), app);
  } finally {
    release();
  }
}

/** Settings and the client are created on first use, once. */
export function createApp(terminal: Terminal, print: Printer, signal: AbortSignal): App {
  let settings: ReturnType<App['settings']> | undefined;
  let client: ReturnType<App['client']> | undefined;
  const app: App = {
    terminal,
    print,
    signal,
    options: {},
    baseURL: undefined,
    exitCode: EXIT.ok,
    commandLine: (words) => createCommandLine(app, words),
    settings: () => (settings ??= openSettings()),
    client: () => (client ??= openClient()),
  };
  return app;

  async function openSettings() {
    const { readSettings } = await import('./config/settings.ts');
    const found = await readSettings(terminal, app.options);
    if (found.key !== undefined) print.hide(found.key.value);
    app.baseURL = found.baseURL.value;
    return found;
  }

  async function openClient() {
    const { connect } = await import('./connection.ts');
    return connect(await app.settings(), app.options, print);
  }
}

/** Options that users try for the API key. Arguments are visible to everyone on the machine. */
const KEY_OPTION = /unknown option '--(key|api-?key|token)\b/i;

function parseError({ message }: CommanderError): Error {
  if (KEY_OPTION.test(message)) {
    return usageError(
      'An API key is not accepted on the command line: other users of this machine could read it, and your shell would keep it in its history.',
      'Set MODELWIRE_API_KEY, store the key in a profile (modelwire profiles create), or use --key-file <file>.',
    );
  }
  // "error: unknown option '--modle'\n(Did you mean --model?)"
  const [, first = '', rest = '', , suggestion] = /^error: (.)(.*)(\n\((.*)\))?$/.exec(message) ?? [];
  return usageError(first.toUpperCase() + rest, suggestion ?? 'Run the command with --help for its usage.');
}

async function printError(error: unknown, { print, signal, baseURL }: App): Promise<ExitCode> {
  // Loads the errors of the clients, which a successful command does not need.
  const { describeError } = await import('./describe-error.ts');
  const { message, hint, code, fields } = describeError(error, baseURL);
  print.progress.clear();
  if (code === EXIT.brokenPipe) return code;
  if (code === EXIT.interrupted || signal.aborted) return EXIT.interrupted;
  if (print.json) print.problem({ error: { message, hint, exit_code: code, ...fields } });
  else print.error(message, hint);
  return code;
}
