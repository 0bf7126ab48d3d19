import { globalFlags } from './command.ts';
import type { Argument, Command, Entry, Flag, Flags, Group, Leaf } from './command.ts';

/** Help of the whole program. */
export function programHelp(entries: readonly Entry[]): string {
  return `modelwire: a model interface from your terminal

Usage
  modelwire <command> [flags]

Commands
${listed(shown(entries))}

Flags of every command
${flagLines(globalFlags)}

Examples
  modelwire chat "What is a river?"
  git diff | modelwire chat "Write a commit message for this"
  modelwire chat                       an interactive chat
  modelwire doctor                     what is wrong, and how to mend it

modelwire <command> --help tells more of each.
`;
}

export function groupHelp(group: Group): string {
  return `modelwire ${group.name}: ${group.summary}

Usage
  modelwire ${group.name} <command> [flags]

Commands
${listed(shown(group.commands))}

modelwire ${group.name} <command> --help tells more of each.
`;
}

export function commandHelp(path: readonly string[], { summary }: Leaf, command: Command): string {
  const name = ['modelwire', ...path].join(' ');
  const words = command.arguments.map(argumentText).join(' ');
  const sections = [`${name}: ${summary}`];
  if (command.description !== undefined) sections.push(command.description);
  sections.push(`Usage\n  ${name}${words === '' ? '' : ` ${words}`} [flags]`);
  if (command.arguments.length > 0) {
    sections.push(`Arguments\n${columns(command.arguments.map((each) => [each.name, argumentNote(each)]))}`);
  }
  const own = flagLines(command.flags);
  if (own !== '') sections.push(`Flags\n${own}`);
  const others = Object.fromEntries(Object.entries(globalFlags).filter(([flag]) => !(flag in command.flags)));
  sections.push(`Flags of every command\n${flagLines(others)}`);
  const examples = command.examples.map(({ what, line }) => `  # ${what}\n  ${line.replaceAll('\n', '\n  ')}`);
  sections.push(`Examples\n${examples.join('\n\n')}`);
  return `${sections.join('\n\n')}\n`;
}

export function shown(entries: readonly Entry[]): readonly Entry[] {
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
  return choices === undefined ? description : `${description}: ${choices.join(', ')}`;
}

function flagLines(flags: Flags): string {
  return columns(
    Object.entries(flags).flatMap(([name, flag]) => (flag.hidden === true ? [] : [[flagText(name, flag), note(flag)]])),
  );
}

export function flagText(name: string, { short, type, value }: Flag): string {
  const named = `${short === undefined ? '    ' : `-${short}, `}--${name}`;
  return type === 'boolean' ? named : `${named} <${value ?? (type === 'string' ? 'text' : 'n')}>`;
}

function note({ description, choices, multiple }: Flag): string {
  const among = choices === undefined ? '' : `: ${choices.join(', ')}`;
  return description + among + (multiple === true ? ' (may be repeated)' : '');
}

/** Two columns; what is too wide for the first has a line of its own. */
function columns(rows: readonly (readonly string[])[]): string {
  const width = Math.min(30, Math.max(0, ...rows.map(([left = '']) => left.length)));
  return rows
    .map(([left = '', right = '']) => {
      const gap = left.length > width ? `\n${' '.repeat(width + 4)}` : ' '.repeat(width + 2 - left.length);
      return `  ${left}${gap}${right}`;
    })
    .join('\n');
}
