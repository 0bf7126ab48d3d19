import { extname } from 'node:path';
import type { FilePurpose } from '@modelwire/schema/types';

const IMAGES = new Set(['.png', '.jpg', '.jpeg', '.gif', '.webp']);

/** The most likely purpose of a file. */
export function purposeOf(filename: string): FilePurpose {
  const extension = extname(filename).toLowerCase();
  if (extension === '.jsonl') return 'batch';
  return IMAGES.has(extension) ? 'vision' : 'user_data';
}
