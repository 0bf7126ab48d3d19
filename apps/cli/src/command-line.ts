import { Command, Option } from '@commander-js/extra-typings';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { nearest } from '@modelwire/schema/internal/nearest';
import type { App } from './app.ts';
import { usageError } from './cli-error.ts';
import { commands } from './commands.ts';
import { numberFrom } from './option-values.ts';
import { subcommand, withExamples } from './subcommand.ts';
import { version } from './version.ts';

/** See `App.commandLine`: a module is loaded when its command is named. */
export async function createCommandLine(app: App, words: readonly string[]): Promise<CommandUnknownOpts> {
  const { terminal } = app;
  const write = (text: string): void => void terminal.stdout.write(text);
  const program = new Command('modelwire')
    .description('Command-line client for OpenAI-compatible servers')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: write,
      // Help for a command that is incomplete. Errors are printed by the caller.
      writeErr: write,
      outputError: () => undefined,
      getOutHelpWidth: () => terminal.columns(),
      getErrHelpWidth: () => terminal.columns(),
    })
    .helpCommand(false)
    .hook('preAction', (_, command) => {
      // Each option has parsed its value.
      app.options = command.optsWithGlobals();
    });
  withExamples(program, {
    'Ask a question': 'modelwire chat "Why is the sky blue?"',
    'Use it in a pipe': 'git diff | modelwire chat "Write a commit message for this diff"',
    'Start an interactive chat': 'modelwire chat',
    'Diagnose problems': 'modelwire doctor',
  });
  const defined = commands.map(({ name, summary, isHidden = false, load }) => ({
    command: program.command(name, { hidden: isHidden }).summary(summary),
    load,
  }));
  addHelpCommand(program, app);
  addGlobalOptions(program);
  program.version(version, '--version', 'Show the version');

  const [name] = program.parseOptions([...words]).operands;
  if (name === undefined) {
    program.action(async () => {
      const { printStartPage } = await import('./start-page.ts');
      await printStartPage(app);
    });
  }
  const named = defined.find(({ command }) => command.name() === name);
  if (named !== undefined) {
    const { define } = await named.load();
    define(named.command, app);
    for (const each of [named.command, ...named.command.commands]) {
      addGlobalOptions(each);
      each.description([each.summary(), each.description()].filter((text) => text !== '').join('.\n\n'));
    }
  }
  return program;
}

/** Every command accepts these, so that they can precede or follow its name. */
function addGlobalOptions(command: CommandUnknownOpts): void {
  command
    .optionsGroup('Global options:')
    .option('--json', 'Print JSON, one value per line')
    .option('--profile <profile>', 'Profile to use (MODELWIRE_PROFILE)')
    .option('--base-url <url>', 'Base URL of the server, usually ending in /v1 (MODELWIRE_BASE_URL)')
    .option('--key-file <file>', 'Read the API key from a file; - reads stdin')
    .option('--timeout <seconds>', 'Time limit of a request, in seconds', numberFrom({ min: 0 }))
    .option('--retries <n>', 'Maximum number of retries (default: 2)', numberFrom({ min: 0, isInteger: true }))
    .option('-q, --quiet', 'Do not print progress and notes on stderr')
    .option('-v, --verbose', 'Log each request on stderr: status, request ID, duration')
    .option('--no-color', 'Disable colors (NO_COLOR)')
    .addHelpOption(new Option('-h, --help', 'Show help').helpGroup('Global options:'));
}

function addHelpCommand(program: Command, app: App): void {
  subcommand(program, 'help', 'Show help for a command', { 'Describe a command': 'modelwire help batches create' })
    .argument('[command...]', 'Command to describe')
    .action(async (names) => {
      let command = await createCommandLine(app, names);
      for (const name of names) {
        const next = command.commands.find((each) => each.name() === name);
        if (next === undefined) throw unknownCommand(name, command);
        command = next;
      }
      command.outputHelp();
    });
}

function unknownCommand(name: string, parent: CommandUnknownOpts): Error {
  const suggestion = nearest(
    name,
    parent
      .createHelp()
      .visibleCommands(parent)
      .map((each) => each.name()),
  );
  return usageError(
    `Unknown command "${name}".`,
    suggestion === undefined ? 'Run modelwire help for a list of commands.' : `Did you mean ${suggestion}?`,
  );
}
