import { VideoError } from '@modelwire/ports';

/** Why an input image cannot be used. */
export function badReference(why: string): VideoError {
  return new VideoError('invalid_input_reference', `The input reference cannot be used: ${why}.`);
}
