import { usageError } from '../cli-error.ts';
import { defineCommand } from '../command.ts';
import { findCommand } from '../find-command.ts';
import { helpText } from '../help.ts';

export const command = defineCommand({
  arguments: [
    { name: 'command', optional: true, multiple: true, completes: 'command', description: 'Command to describe' },
  ],
  flags: {},
  examples: [
    { what: 'List all commands', line: 'modelwire help' },
    { what: 'Describe one command', line: 'modelwire help batches create' },
  ],
  async run({ args, table, print }) {
    const { path, remainingWords } = findCommand(args, table);
    if (remainingWords.length > 0)
      throw usageError(`Unknown command "${args.join(' ')}".`, 'Run modelwire help for a list of commands.');
    await print.raw(await helpText(path, table));
  },
});
