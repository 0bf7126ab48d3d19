import * as z from 'zod';
import { flag } from './field.ts';

/** Options of every stream of chunks. */
export const streamOptions = {
  include_obfuscation: flag('Whether random characters pad events to similar sizes.', true),
  include_usage: z.boolean().optional().describe('Whether a last chunk reports the tokens of the whole request.'),
};
