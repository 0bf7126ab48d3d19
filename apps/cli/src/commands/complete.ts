import type { Define } from '../app.ts';
import { candidatesOf } from '../completion/candidates.ts';

/** Called by the scripts of `modelwire completion`; hidden from the help. */
export const define: Define = (command, app) => {
  command.argument('[words...]', 'Words so far; the last one is completed').action(async (words) => {
    const { candidates, files } = await candidatesOf(words, app);
    const lines = candidates.map(({ word, summary = '' }) => `${word}\t${summary}\n`);
    await app.print.text(lines.join('') + (files ? ':files\n' : ''));
  });
};
