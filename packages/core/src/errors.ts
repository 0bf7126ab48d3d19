const BRAND = Symbol.for('modelwire.error');

/** The outcome of one attempt of a call. A call that succeeds immediately has one. */
export interface Attempt {
  /** Duration of the attempt in milliseconds. */
  readonly durationMs: number;
  /** Absent when there was no response. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** Why the attempt failed; absent on success. */
  readonly error?: string | undefined;
  /** The delay before the next attempt in milliseconds; absent on the last attempt. */
  readonly retryDelayMs?: number | undefined;
}

type ErrorField = 'status' | 'headers' | 'requestId' | 'attempts' | 'type' | 'param' | 'code' | 'body';

/** The optional fields of an error. */
export type ErrorDetails = { readonly [Name in ErrorField | 'cause']?: ModelwireError[Name] | undefined };

/**
 * The base class of all errors of this package. `instanceof ModelwireError` and {@link isModelwireError} also match errors of other
 * copies of the package; for subclasses, compare `name` where there may be two copies. Neither the message nor the JSON ever has
 * the API key.
 */
export class ModelwireError extends Error {
  override readonly name: string = 'ModelwireError';
  readonly [BRAND] = true;
  /** HTTP status, if there was a response. */
  declare readonly status: number | undefined;
  /** Response headers, if there was a response. */
  declare readonly headers: Headers | undefined;
  /** The response's `x-request-id`, for reports to the operator of the server. */
  declare readonly requestId: string | undefined;
  /** All attempts of the call, oldest first. */
  declare readonly attempts: readonly Attempt[];
  /** The fields of the server's error object, if it sent one. */
  declare readonly type: string | undefined;
  declare readonly param: string | undefined;
  declare readonly code: string | undefined;
  /** The parsed body of the response, or an excerpt of its text if it is not JSON. */
  declare readonly body: unknown;

  constructor(message: string, { cause, attempts = [], ...details }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, { attempts, ...details });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return this === ModelwireError ? isModelwireError(value) : super[Symbol.hasInstance](value);
  }

  toJSON(): Record<string, unknown> {
    const { name, message, status, requestId, type, param, code, attempts } = this;
    return { name, message, status, request_id: requestId, type, param, code, attempts };
  }
}

/** Whether the value is an error of this package, also of another copy of it. */
export function isModelwireError(value: unknown): value is ModelwireError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** An argument is invalid, such as a path parameter, a header, a key or a body. Nothing was sent. */
export class InputError extends ModelwireError {
  override readonly name = 'InputError';
}

/** The server responded with an unsuccessful status. There is a subclass for each common status. */
export class ApiError extends ModelwireError {
  override readonly name: string = 'ApiError';
  declare readonly status: number;
  declare readonly headers: Headers;
}

/** 400 */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}

/** 401 */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}

/** 403 */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError';
}

/** 404 */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}

/** 409 */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}

/** 413 */
export class PayloadTooLargeError extends ApiError {
  override readonly name = 'PayloadTooLargeError';
}

/** 422 */
export class UnprocessableEntityError extends ApiError {
  override readonly name = 'UnprocessableEntityError';
}

/** 429 */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}

/** 500 and above */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

const BY_STATUS: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: PayloadTooLargeError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

/** Creates the error of a status. */
export function apiError(status: number, message: string, details: ErrorDetails): ApiError {
  const ErrorClass = BY_STATUS[status] ?? (status >= 500 ? ServerError : ApiError);
  return new ErrorClass(message, { ...details, status });
}

/** There was no response, or the connection failed while it was read. `cause` is what `fetch` threw. */
export class ConnectionError extends ModelwireError {
  override readonly name = 'ConnectionError';
}

/** `headers`: no response headers; `first_byte`: headers but no body; `idle`: a pause in the body; `total`: the whole call. */
export type TimeoutPhase = 'headers' | 'first_byte' | 'idle' | 'total';

/** A timeout expired; `phase` says which. */
export class TimeoutError extends ModelwireError {
  override readonly name = 'TimeoutError';
  readonly phase: TimeoutPhase;

  constructor(phase: TimeoutPhase, limitMs: number, details?: ErrorDetails) {
    super(`The ${phase} timeout of ${limitMs} ms expired.`, details);
    this.phase = phase;
  }
}

/** The caller aborted the call. `cause` is the reason of its signal. */
export class AbortError extends ModelwireError {
  override readonly name = 'AbortError';
}

/**
 * `truncated`: the stream ended without `[DONE]`; `malformed`: an event that is not JSON; `too_large`: an event above the
 * limit; `unexpected_content_type`: the response is not an event stream; `error_frame`: the server reported an error.
 */
export type StreamErrorReason = 'truncated' | 'malformed' | 'too_large' | 'unexpected_content_type' | 'error_frame';

/** A stream failed after it started; `reason` says how. */
export class StreamError extends ModelwireError {
  override readonly name = 'StreamError';
  readonly reason: StreamErrorReason;

  constructor(reason: StreamErrorReason, message: string, details?: ErrorDetails) {
    super(message, details);
    this.reason = reason;
  }
}

/** A successful response is not JSON; `body` is an excerpt of it. */
export class DecodeError extends ModelwireError {
  override readonly name = 'DecodeError';
}
