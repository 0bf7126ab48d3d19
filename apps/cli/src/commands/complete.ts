import { defineCommand } from '../command.ts';
import { candidatesOf } from '../completion/candidates.ts';

/** What the scripts of `completion` ask. Not meant for people, and in no help. */
export const command = defineCommand({
  arguments: [
    { name: 'words', optional: true, multiple: true, description: 'the line so far, its last word maybe empty' },
  ],
  flags: {},
  examples: [{ what: 'What may follow', line: 'modelwire __complete -- batch cr' }],
  async run({ args, terminal, table, print }) {
    const { words, files } = await candidatesOf(args, terminal, table);
    const lines = words.map(({ word, summary = '' }) => `${word}\t${summary}\n`);
    await print.text(lines.join('') + (files ? ':files\n' : ''));
    return undefined;
  },
});
