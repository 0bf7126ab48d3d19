import { RequestError, invalid } from '../../errors.ts';

/** Longer names cannot be model IDs. */
export const maxNameLength = 1024;

export function uncertainModel(): RequestError {
  const message =
    'The model of this request cannot be read with certainty, and this key may not use every model. Send JSON or a form that names it once, as text.';
  return new RequestError(message, {
    status: 403,
    code: 'model_not_allowed',
    param: 'model',
  });
}

export function ambiguousModel(): RequestError {
  return invalid('model', "Ambiguous parameter: 'model'. The request must name the model once.");
}
