import type { Command, OptionValues } from '@commander-js/extra-typings';

/** What each example does, and its command line. */
export type Examples = Readonly<Record<string, string>>;

/** Adds a command to a group. */
export function subcommand(group: Command, name: string, summary: string, examples: Examples) {
  return withExamples(group.command(name).summary(summary), examples);
}

/** Adds examples to the help of a command. */
export function withExamples<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
  examples: Examples,
): Command<A, O, G> {
  const lines = Object.entries(examples).map(([what, line]) => `  # ${what}\n  ${line}`);
  return command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
}
