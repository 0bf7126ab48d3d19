import { RequestError } from '@modelwire/ports';

export interface Attempts {
  readonly attempts: number;
  /** Describes the last answer. */
  readonly problem: string;
  readonly advice: string;
}

/** The error after the last attempt. */
export function malformedVerdict(model: string, { attempts, problem, advice }: Attempts): RequestError {
  return new RequestError(
    `The chat model '${model}' that is used for moderation returned no valid verdict in ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. Problem in the last answer: ${problem}. ${advice}`,
    {
      status: 502,
      code: 'judge_malformed',
      // Official clients would repeat all attempts.
      headers: { 'x-should-retry': 'false' },
    },
  );
}

export function verdictTimeout(timeoutMs: number): RequestError {
  return new RequestError(`The chat model that is used for moderation returned no verdict within ${timeoutMs} ms.`, {
    status: 504,
    code: 'judge_timeout',
  });
}

export function modelUnavailable(model: string): RequestError {
  return new RequestError(`The chat model '${model}' that is used for moderation is not available.`, {
    status: 503,
    code: 'judge_unavailable',
  });
}

export function noTextCompletions(model: string): RequestError {
  return new RequestError(
    `The engine of the chat model '${model}' that is used for moderation does not support text completions, which its preset requires.`,
    { status: 502, code: 'judge_failed' },
  );
}

/** Whether the engine rejected the request itself, which can be because of its JSON Schema. */
export function isInvalidRequest(error: unknown): boolean {
  return error instanceof RequestError && error.status === 400 && error.code !== 'context_length_exceeded';
}

/**
 * Converts an error of the judge's engine for the client of a moderation. A 400 is about our own request, except that the
 * client's text may be too long for the model.
 */
export function toClientError(error: unknown): unknown {
  if (!(error instanceof RequestError) || error.status === 429 || error.status >= 500) return error;
  if (error.code === 'context_length_exceeded') {
    return new RequestError("Invalid 'input': it is too long for the chat model that is used for moderation.", {
      status: 400,
      param: 'input',
      code: 'context_length_exceeded',
      cause: error,
    });
  }
  return new RequestError('The chat model that is used for moderation rejected the request.', {
    status: 502,
    code: 'judge_failed',
    cause: error,
  });
}
