import { VideoError } from '@modelwire/ports';

/** Why an input image cannot be used. */
export function invalidReference(why: string): VideoError {
  return new VideoError('invalid_input_reference', `The input reference cannot be used: ${why}.`);
}
