import { RequestError } from '../errors.ts';
import type { OutputPart } from './output-part.ts';
import type { Rejection } from './valid-prefix.ts';

/** The error of a reply that is not what was requested. Official clients would repeat the whole request. */
export function invalidOutput(
  { place }: Pick<OutputPart, 'place'>,
  rejection: Rejection | undefined,
  attempts: number,
): RequestError {
  const { reason = 'it has text around the document', position = 0 } = rejection ?? {};
  const what = place.type === 'text' ? 'output of the model' : `input of the tool '${place.name}'`;
  const after = attempts === 1 ? '' : ` after ${attempts} attempts`;
  return new RequestError(`The ${what} is invalid${after}: ${reason} (character ${position}).`, {
    status: 502,
    type: 'invalid_output',
    code: 'invalid_output',
    param: place.type === 'text' ? 'response_format' : 'tools',
    headers: { 'x-should-retry': 'false' },
  });
}
