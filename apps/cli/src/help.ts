import { globalFlags } from './command.ts';
import type { Argument, Command, Entry, Flag, Flags, Group } from './command.ts';
import type { CommandPath } from './find-command.ts';

/** Help for a command, for a group of commands, or for the program. */
export async function helpText({ names, group, leaf }: CommandPath, table: readonly Entry[]): Promise<string> {
  if (leaf !== undefined) return commandHelp(names, leaf.summary, await leaf.load());
  return group === undefined ? programHelp(table) : groupHelp(group);
}

function programHelp(entries: readonly Entry[]): string {
  return `modelwire: command-line client for OpenAI-compatible servers

Usage
  modelwire <command> [options]

Commands
${listed(visible(entries))}

Global options
${optionLines(globalFlags)}

Examples
  modelwire chat "Why is the sky blue?"
  git diff | modelwire chat "Write a commit message for this diff"
  modelwire chat                       start an interactive chat
  modelwire doctor                     diagnose problems

Run modelwire help <command> for details.
`;
}

function groupHelp({ name, summary, commands }: Group): string {
  return `modelwire ${name}: ${summary}

Usage
  modelwire ${name} <command> [options]

Commands
${listed(visible(commands))}

Run modelwire help ${name} <command> for details.
`;
}

function commandHelp(path: readonly string[], summary: string, command: Command): string {
  const name = ['modelwire', ...path].join(' ');
  const words = command.arguments.map(argumentText).join(' ');
  const sections = [`${name}: ${summary}`];
  if (command.description !== undefined) sections.push(command.description);
  sections.push(`Usage\n  ${name}${words === '' ? '' : ` ${words}`} [options]`);
  if (command.arguments.length > 0) {
    sections.push(`Arguments\n${columns(command.arguments.map((each) => [each.name, argumentNote(each)]))}`);
  }
  const own = optionLines(command.flags);
  if (own !== '') sections.push(`Options\n${own}`);
  const others = Object.fromEntries(Object.entries(globalFlags).filter(([flag]) => !(flag in command.flags)));
  sections.push(`Global options\n${optionLines(others)}`);
  const examples = command.examples.map(({ what, line }) => `  # ${what}\n  ${line.replaceAll('\n', '\n  ')}`);
  sections.push(`Examples\n${examples.join('\n\n')}`);
  return `${sections.join('\n\n')}\n`;
}

export function visible(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry) => !('hidden' in entry && entry.hidden === true));
}

function listed(entries: readonly Entry[]): string {
  return columns(entries.map(({ name, summary }) => [name, summary]));
}

export function argumentText({ name, optional, multiple }: Argument): string {
  const word = `<${name}>${multiple === true ? '…' : ''}`;
  return optional === true ? `[${word}]` : word;
}

function argumentNote({ description, choices }: Argument): string {
  return description + oneOf(choices);
}

function optionLines(flags: Flags): string {
  return columns(
    Object.entries(flags).flatMap(([name, flag]) =>
      flag.hidden === true ? [] : [[optionText(name, flag), note(flag)]],
    ),
  );
}

function optionText(name: string, { short, type, value, choices }: Flag): string {
  const text = `${short === undefined ? '    ' : `-${short}, `}--${name}`;
  return type === 'boolean'
    ? text
    : `${text} <${value ?? (choices !== undefined ? 'value' : type === 'string' ? 'text' : 'n')}>`;
}

function note({ description, choices, multiple }: Flag): string {
  return description + oneOf(choices) + (multiple === true ? ' (repeatable)' : '');
}

function oneOf(choices: readonly string[] | undefined): string {
  return choices === undefined ? '' : `; one of: ${choices.join(', ')}`;
}

/** Two columns. A left cell that is too wide gets a separate line. */
function columns(rows: readonly (readonly string[])[]): string {
  const width = Math.min(30, Math.max(0, ...rows.map(([left = '']) => left.length)));
  return rows
    .map(([left = '', right = '']) => {
      const gap = left.length > width ? `\n${' '.repeat(width + 4)}` : ' '.repeat(width + 2 - left.length);
      return `  ${left}${gap}${right}`;
    })
    .join('\n');
}
