import { defineCommand } from '../command.ts';
import { candidatesOf } from '../completion/candidates.ts';

/** Called by the scripts of `modelwire completion`; hidden from the help. */
export const command = defineCommand({
  arguments: [
    { name: 'words', optional: true, multiple: true, description: 'Words so far; the last one is completed' },
  ],
  flags: {},
  examples: [{ what: 'Complete a command', line: 'modelwire __complete -- batches cr' }],
  async run({ args, terminal, table, print }) {
    const { words, files } = await candidatesOf(args, terminal, table);
    const lines = words.map(({ word, summary = '' }) => `${word}\t${summary}\n`);
    await print.text(lines.join('') + (files ? ':files\n' : ''));
  },
});
