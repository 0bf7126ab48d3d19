import { RequestError } from '@modelwire/ports';

export function malformed(attempts: number): RequestError {
  return new RequestError('The model that judges gave no valid verdict.', {
    status: 502,
    code: 'judge_malformed',
    cause: new Error(`no valid verdict in ${attempts} attempts`),
  });
}

export function tookTooLong(timeoutMs: number): RequestError {
  return new RequestError(`The model that judges gave no verdict within ${timeoutMs} ms.`, {
    status: 504,
    code: 'judge_timeout',
  });
}

export function absent(): RequestError {
  return new RequestError('The model that judges is not there.', { status: 503, code: 'judge_unavailable' });
}

/**
 * Converts an error of the judge's engine for the client of a moderation. A 400 is about our own request, except that the
 * client's text may be too long for the model.
 */
export function shown(error: unknown): unknown {
  if (!(error instanceof RequestError) || error.status === 429 || error.status >= 500) return error;
  if (error.code === 'context_length_exceeded') {
    return new RequestError("Invalid 'input': it is too long for the model that judges it.", {
      status: 400,
      param: 'input',
      code: 'context_length_exceeded',
      cause: error,
    });
  }
  return new RequestError('The model that judges did not take the question.', {
    status: 502,
    code: 'judge_failed',
    cause: error,
  });
}
