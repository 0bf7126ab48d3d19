/** What went wrong with a request. */
export interface ErrorObject {
  message: string;
  type: string;
  /** Path of the field at fault, for instance `messages[2].content`. */
  param: string | null;
  code: string | null;
}

/** The body of every error answer. */
export interface ErrorBody {
  error: ErrorObject;
}

/** What a schema or a rule found wrong with a request: the `error` of a 400. */
export interface Problem extends ErrorObject {
  type: 'invalid_request_error';
  code: string;
}
