/** The fields of an error response, except its message. */
export interface RequestErrorInit {
  readonly status: number;
  readonly type?: string;
  /** Machine-readable code, documented in docs/errors.md. Default: the code of the status. */
  readonly code?: string | null;
  readonly param?: string | null;
  /** Further response headers, for instance `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For the log; never shown to the client. */
  readonly cause?: unknown;
}

/** An error that the client may see, with its status and headers (API: Errors). Use the functions below to create one. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly param: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, init: RequestErrorInit) {
    super(message, { cause: init.cause });
    this.status = init.status;
    this.type = init.type ?? (init.status >= 500 ? 'server_error' : 'invalid_request_error');
    this.code = init.code ?? codeOfStatus(init.status);
    this.param = init.param ?? null;
    this.headers = init.headers ?? {};
  }
}

/** The code of an error without one, such as an upstream's: every error has a code. */
function codeOfStatus(status: number): string {
  if (status === 401) return 'invalid_api_key';
  if (status === 404) return 'not_found';
  if (status === 405) return 'method_not_allowed';
  if (status === 429) return 'rate_limit_exceeded';
  return status >= 500 ? 'internal_error' : 'invalid_request';
}

export function invalid(param: string | null, message: string, code = 'invalid_value'): RequestError {
  return new RequestError(message, { status: 400, param, code });
}

/** A parameter or a value that this model or this server does not support. */
export function unsupported(param: string, message: string): RequestError {
  return new RequestError(message, { status: 400, param, code: 'unsupported_parameter' });
}

export function unsupportedValue(param: string, message: string): RequestError {
  return new RequestError(message, { status: 400, param, code: 'unsupported_value' });
}

/** A server that may have models that are not known, and why it could not be asked for them. */
export interface UnaskedUpstream {
  readonly name: string;
  /** In a few words, such as `ECONNREFUSED`. */
  readonly cause: string;
}

/** `unasked`: the upstreams that may have the model. The error says so, and when it is worth a retry (`retry-after`). */
export function modelNotFound(id: string, unasked: readonly UnaskedUpstream[] = []): RequestError {
  const message = `The model '${shorten(id)}' does not exist or you do not have access to it.`;
  const init = { status: 404, code: 'model_not_found', param: 'model' };
  if (unasked.length === 0) return new RequestError(message, init);
  const names = unasked.map(({ name, cause }) => `'${name}' (${cause})`).join(', ');
  return new RequestError(`${message} Its models could not be requested from the upstream ${names}.`, {
    ...init,
    headers: { 'retry-after': '5' },
  });
}

export function notFound(kind: string, id: string, param: string | null = null): RequestError {
  return new RequestError(`No ${kind} found with id '${shorten(id)}'.`, { status: 404, code: 'not_found', param });
}

/** Too many requests are waiting; the client may retry. `seconds` is at least 1. */
export function overloaded(seconds: number): RequestError {
  return new RequestError('The server is overloaded: too many requests are waiting. Please retry later.', {
    status: 503,
    code: 'overloaded',
    headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) },
  });
}

/** Truncates values of clients in error messages. */
function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
