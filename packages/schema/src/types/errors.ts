/** Why a request failed. */
export interface ErrorObject {
  message: string;
  type: string;
  /** Path of the invalid field, for instance `messages[2].content`. */
  param: string | null;
  code: string | null;
}

/** The body of every error response. */
export interface ErrorBody {
  error: ErrorObject;
}

/** A problem that a schema or a rule found in a request: the `error` of a 400. */
export interface Problem extends ErrorObject {
  type: 'invalid_request_error';
  code: string;
}
