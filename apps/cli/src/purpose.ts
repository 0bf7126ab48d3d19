import { extname } from 'node:path';
import type { FilePurpose } from '@modelwire/schema/types';
import { filePurposes } from '@modelwire/schema/enums';
import type { Flags } from './command.ts';

/** Options of the commands that create a file. */
export const newFileFlags = {
  purpose: {
    type: 'string',
    choices: filePurposes,
    description: 'Purpose (default: batch for .jsonl, vision for images, otherwise user_data)',
  },
  name: { type: 'string', description: 'Name on the server (default: the name of the file)' },
} as const satisfies Flags;

const IMAGES = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);

/** The most likely purpose of a file. */
export function purposeOf(filename: string): FilePurpose {
  const extension = extname(filename).toLowerCase();
  if (extension === '.jsonl') return 'batch';
  return IMAGES.has(extension) ? 'vision' : 'user_data';
}
