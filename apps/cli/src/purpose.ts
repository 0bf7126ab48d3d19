import { extname } from 'node:path';
import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { FilePurpose } from '@modelwire/client';
import { filePurposes } from '@modelwire/schema/internal/enums';
import { isImageName } from './open-file.ts';
import { choice, positiveInteger } from './option-values.ts';

/** Adds the options of commands that create a file. */
export function withNewFileOptions<A extends unknown[], O extends OptionValues, G extends OptionValues>(
  command: Command<A, O, G>,
) {
  return command
    .addOption(
      choice(
        '--purpose <purpose>',
        'Purpose (default: batch for .jsonl, vision for images, otherwise user_data)',
        filePurposes,
      ),
    )
    .option('--name <name>', 'Name on the server (default: the name of the file)')
    .option('--expires-after <seconds>', 'Delete the file after this time', positiveInteger);
}

/** The most likely purpose of a file. */
export function purposeOf(filename: string): FilePurpose {
  if (extname(filename).toLowerCase() === '.jsonl') return 'batch';
  return isImageName(filename) ? 'vision' : 'user_data';
}
