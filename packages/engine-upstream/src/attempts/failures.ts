import { systemErrorCode } from '@modelwire/adapter-kit';
import { RequestError, modelNotFound } from '@modelwire/ports';
import { isContextOverflow } from '../replies/context-overflow.ts';
import type { ReplyHeaders } from '../exchange.ts';
import type { TransportError } from '../transport-error.ts';
import { isQuotaError, readErrorBody } from '../replies/error-body.ts';
import type { ErrorFields } from '../replies/error-body.ts';
import { passedHeaders } from '../requests/passed-headers.ts';
import { redact } from '../requests/secrets.ts';
import type { ServerSettings } from '../presets/settings.ts';

/** An error reply of an upstream. */
export interface UpstreamFailure {
  readonly error: RequestError;
  /**
   * Why it counts as a failure of the upstream, for the circuit breaker and the log; undefined if it concerns this request only. Never contains
   * an address, a header or text of the upstream.
   */
  readonly fault: string | undefined;
}

/** The failure of one attempt, and whether another one can succeed. */
export interface AttemptFailure extends UpstreamFailure {
  /**
   * `anywhere`: also at the same upstream. `elsewhere`: only at another upstream. `never`: the request is the cause. Of no effect after the
   * first token of a reply.
   */
  readonly retry: 'anywhere' | 'elsewhere' | 'never';
}

/** A failure that a reply of status 2xx contains. */
export interface FailureInReply {
  readonly failure: AttemptFailure;
}

/** Thrown by the reader of a reply of status 2xx that turns out to be a failure before its first token. */
export class FailedReply extends Error {
  override readonly name = 'FailedReply';
  readonly failure: AttemptFailure;

  constructor(failure: AttemptFailure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

/** The upstream that failed: its name, and the secrets that an error must not contain. */
type FailedServer = Pick<ServerSettings, 'name' | 'secrets'>;

/** The model in the client's request, and the path of the request below the base URL. */
interface FailedRequest {
  readonly publicId: string;
  readonly path: string;
}

const promptParam = ({ path }: FailedRequest): string => (/^\/(?:chat|messages)/.test(path) ? 'messages' : 'input');

/** Maximum UTF-16 code units of an upstream's error message that are passed on. */
const maxLengths = { message: 2_000, field: 100 };

/**
 * Whether another upstream can succeed where this one failed: all 5xx, also those of intermediaries (520 to 530), except 501 and 505, which say
 * that the request is not supported.
 */
function isServerFailure(status: number): boolean {
  return status >= 500 && status !== 501 && status !== 505;
}

/** Of these, 500 does not count as a failure of the upstream, because servers send it for requests that they cannot handle. */
function isFault(status: number): boolean {
  return isServerFailure(status) && status !== 500;
}

/** Why a status counts as a failure of the upstream; undefined if it concerns its request only. */
export function statusFault(status: number): string | undefined {
  return isFault(status) ? `status ${status}` : undefined;
}

export function transportFailure(error: TransportError, server: string): AttemptFailure {
  if (error.isUndecodable) return unexpectedReply('a content coding that cannot be decoded', server);
  const fault = error.isTimeout ? timeoutReason(error.phase) : error.message;
  const cause = new Error(`${server}: ${error.message} at ${error.phase}`);
  if (error.phase === 'connect')
    return { error: upstreamUnreachable(server, error.message, cause), retry: 'anywhere', fault };
  if (error.isTimeout) {
    const problem = error.phase === 'headers' ? 'did not respond in time' : 'stopped sending its reply';
    return {
      error: upstreamError(504, 'upstream_timeout', `The upstream '${server}' ${problem}.`, { cause }),
      // It may still be processing the request.
      retry: 'elsewhere',
      fault,
    };
  }
  if (error.phase === 'body') return { error: streamInterrupted(server, cause), retry: 'elsewhere', fault };
  if (error.isMalformed) {
    return {
      error: unexpectedReplyError('no valid HTTP', server, cause),
      retry: 'elsewhere',
      fault: 'malformed response',
    };
  }
  const message = `The upstream '${server}' closed the connection before it answered.`;
  return { error: upstreamError(502, 'upstream_error', message, { cause }), retry: 'anywhere', fault };
}

/** An upstream did not reply in time. `phase` is the phase that took too long. */
export function timedOut(server: string, phase: keyof typeof timeoutNames, cause: Error): UpstreamFailure {
  const error = upstreamError(504, 'upstream_timeout', `The upstream '${server}' did not respond in time.`, { cause });
  return { error, fault: timeoutReason(phase) };
}

const timeoutNames = {
  connect: 'connect',
  headers: 'response header',
  first_byte: 'first byte',
  body: 'idle',
  idle: 'idle',
  total: 'total',
} as const;

export function timeoutReason(phase: keyof typeof timeoutNames): string {
  return `${timeoutNames[phase]} timeout`;
}

/** The reason a connection failed, without addresses. */
export function connectionFailureReason(thrown: unknown): string {
  return systemErrorCode(thrown) ?? 'the connection failed';
}

/** A reply whose status is not 2xx. `text` is its body, undefined if it could not be read. */
export function replyFailure(
  status: number,
  headers: ReplyHeaders,
  text: string | undefined,
  request: FailedRequest,
  server: FailedServer,
): AttemptFailure {
  const cause = new Error(`${server.name}: status ${status}`);
  const init = { cause, headers: passedHeaders(headers) };
  const fields = text === undefined ? undefined : readErrorBody(text);
  const createFailure = (error: RequestError, retry: AttemptFailure['retry']): AttemptFailure => ({
    error,
    retry,
    fault: undefined,
  });
  if (status === 401 || status === 403) {
    return createFailure(authenticationFailed(status, fields?.message, server, cause), 'elsewhere');
  }
  if (fields && isContextOverflow(status, fields)) {
    return createFailure(contextOverflow(fields, promptParam(request), server, { cause }), 'never');
  }
  if (status >= 500) return serverFailure(status, fields, server, init);
  if (status === 404 && fields !== undefined && isUnknownModel(fields)) {
    return createFailure(modelNotFound(request.publicId), 'elsewhere');
  }
  if (status === 429 || status === 413) {
    const fallback = status === 429 ? 'received too many requests' : 'refused the request as too large';
    const passedFields = fields ?? { message: `The upstream '${server.name}' ${fallback}.` };
    return createFailure(passedError(status, passedFields, server, init), status === 429 ? 'elsewhere' : 'never');
  }
  const retry = status === 408 ? 'anywhere' : 'never';
  if (status < 400 || (fields !== undefined && isWrongPath(status, fields)) || status === 405) {
    const hint = status < 400 ? '' : ' Check its base URL.';
    const message = `The upstream '${server.name}' answered with status ${status}.${hint}`;
    return createFailure(upstreamError(502, 'upstream_error', message, { cause }), retry);
  }
  const message = fields?.message ?? `The upstream '${server.name}' answered with status ${status}.`;
  return createFailure(passedError(status, { ...fields, message }, server, init), retry);
}

/** The error of a forwarded request whose body is no error as clients expect it, such as those of vLLM, which have no `param`. */
export function forwardedFailure(
  { status, headers }: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
  text: string,
  server: FailedServer,
): RequestError {
  const fields = readErrorBody(text);
  const { allow } = headers;
  const isPath = status === 404 || status === 405;
  const reason = fields?.message === undefined ? '.' : `: ${fields.message}`;
  const message = isPath ? undefined : fields?.message;
  return passedError(
    status,
    { ...fields, message: message ?? `The upstream '${server.name}' answered with status ${status}${reason}` },
    server,
    { headers: { ...passedHeaders(headers), ...(allow !== undefined && { allow }) } },
  );
}

/** A status of 500 and above, passed on with its reason. Statuses that clients do not know become the most similar known one. */
function serverFailure(
  status: number,
  fields: ErrorFields | undefined,
  server: FailedServer,
  init: ErrorInit,
): AttemptFailure {
  const passedFields = {
    ...fields,
    message: fields?.message ?? `The upstream '${server.name}' failed with status ${status}.`,
  };
  const error = passedError(status === 529 ? 503 : status > 511 ? 502 : status, passedFields, server, init);
  const fault = fields && isQuotaError(fields) ? undefined : statusFault(status);
  if (fault === undefined) return { error, fault, retry: isServerFailure(status) ? 'elsewhere' : 'never' };
  const hasRetryDelay = status === 529 || 'retry-after' in error.headers || 'retry-after-ms' in error.headers;
  return { error, fault, retry: hasRetryDelay ? 'elsewhere' : 'anywhere' };
}

/** An error inside a reply of status 200: an error event of a stream, or an error body. */
export function errorInReply(fields: ErrorFields, server: FailedServer): AttemptFailure {
  const { status = isQuotaError(fields) ? 429 : 502 } = fields;
  const cause = new Error(`${server.name}: error inside a reply`);
  if (status === 401 || status === 403) {
    const error = authenticationFailed(status, fields.message, server, cause);
    return { error, fault: undefined, retry: 'elsewhere' };
  }
  if (isContextOverflow(fields.status ?? 400, fields)) {
    return { error: contextOverflow(fields, 'messages', server, { cause }), fault: undefined, retry: 'never' };
  }
  return {
    error: passedError(status === 529 ? 503 : status > 511 ? 502 : status, fields, server, { cause }),
    // Without a status it concerns this request only.
    fault:
      fields.status !== undefined && isFault(fields.status) && !isQuotaError(fields)
        ? `status ${status} in a reply`
        : undefined,
    retry: isCausedByRequest(fields) ? 'never' : 'elsewhere',
  };
}

/** Whether every upstream would reply with this error. */
function isCausedByRequest({ status, type, code }: ErrorFields): boolean {
  if (status === undefined) return type === 'invalid_request_error' || /^invalid_|image/.test(code ?? '');
  if (status >= 500) return !isServerFailure(status);
  return status !== 404 && status !== 408 && status !== 429;
}

/** A reply of status 200 that is not what was requested. Its bytes are not shown. */
export function unexpectedReply(reason: string, server: string): AttemptFailure {
  return {
    error: unexpectedReplyError(reason, server, new Error(`${server}: ${reason}`)),
    fault: 'malformed response',
    retry: 'elsewhere',
  };
}

function unexpectedReplyError(reason: string, server: string, cause: Error): RequestError {
  return upstreamError(502, 'upstream_error', `The upstream '${server}' sent an unexpected reply: ${reason}.`, {
    cause,
  });
}

/** The stream ended early. */
function streamInterrupted(server: string, cause?: Error): RequestError {
  const message = `The upstream '${server}' ended its reply early.`;
  return upstreamError(502, 'upstream_stream_interrupted', message, { cause });
}

/** The reply ended before it was whole: not all choices were finished. */
export function replyIncomplete(server: string, finished?: number, requested?: number): AttemptFailure {
  const count = requested === undefined ? '' : ` It completed ${finished ?? 0} of ${requested} choices.`;
  const message = `The upstream '${server}' ended its reply before it was complete.${count}`;
  const cause = new Error(`${server}: incomplete reply`);
  return { error: upstreamError(502, 'upstream_incomplete', message, { cause }), fault: undefined, retry: 'elsewhere' };
}

/** A choice ended with a finish reason that says that it failed, such as `abort`. */
export function endedWithFailure(server: string, reason: string): AttemptFailure {
  const message = `The upstream '${server}' failed to complete its reply: finish reason '${reason}'.`;
  const cause = new Error(`${server}: finish reason ${reason}`);
  return { error: upstreamError(502, 'upstream_error', message, { cause }), fault: undefined, retry: 'elsewhere' };
}

/** The engine accepts no new requests. */
export function shuttingDown(): RequestError {
  return upstreamError(503, 'shutting_down', 'The server is shutting down.', { headers: { 'retry-after': '1' } });
}

/** The circuit of `subject` is open, such as of `The upstream of the model 'm'`. `reason` is the last failure. */
export function circuitOpen(subject: string, retryAfterMs: number, reason: string | undefined): RequestError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const details = reason === undefined ? '' : ` (${reason})`;
  const message = `${subject} failed repeatedly${details} and is paused. Retry in ${seconds} s.`;
  return upstreamError(503, 'upstream_unavailable', message, { headers: { 'retry-after': String(seconds) } });
}

/** The upstream cannot be connected to. `reason` is an error code such as `ECONNREFUSED`. */
export function upstreamUnreachable(server: string, reason: string, cause: Error): RequestError {
  const message = `The upstream '${server}' is unreachable (${reason}). Please retry later.`;
  return upstreamError(503, 'upstream_unavailable', message, { cause, headers: { 'retry-after': '1' } });
}

/** The upstream rejected the configured key or headers of this server. */
export function authenticationFailed(
  status: number,
  reason: string | undefined,
  { name, secrets }: FailedServer,
  cause: Error,
): RequestError {
  const details = reason === undefined ? '' : ` It reported: ${shorten(redact(reason, secrets), maxLengths.message)}`;
  const message = `The upstream '${name}' refused the credentials of this server (status ${status}).${details}`;
  return upstreamError(502, 'upstream_authentication_failed', message, { cause });
}

interface ErrorInit {
  readonly cause?: Error | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

function upstreamError(status: number, code: string, message: string, init: ErrorInit): RequestError {
  return new RequestError(message, { status, type: 'server_error', code, ...init });
}

function contextOverflow(fields: ErrorFields, param: string, server: FailedServer, init: ErrorInit): RequestError {
  const { message, cause } = passedError(400, fields, server, init);
  return new RequestError(message, { status: 400, code: 'context_length_exceeded', param, cause });
}

function passedError(status: number, fields: ErrorFields, server: FailedServer, init: ErrorInit): RequestError {
  const { message, type, code, param } = sanitizeFields(fields, server.secrets);
  const defaultType = status === 429 ? 'rate_limit_exceeded' : status >= 500 ? 'server_error' : 'invalid_request_error';
  return new RequestError(message ?? `The upstream '${server.name}' reported an error.`, {
    status,
    type: type ?? defaultType,
    code: code ?? (status >= 500 ? 'upstream_error' : null),
    param: param ?? null,
    ...init,
  });
}

/**
 * The message, type, code and param of the upstream with bounded lengths, and without configured secrets, which any of them may repeat. A code
 * with other characters than those of codes is left out.
 */
export function sanitizeFields(
  fields: ErrorFields,
  secrets: readonly string[],
): Pick<ErrorFields, 'message' | 'type' | 'code' | 'param'> {
  const sanitize = (text: string | undefined, limit: number): string | undefined =>
    text === undefined ? undefined : shorten(redact(text, secrets), limit);
  const code = sanitize(fields.code, maxLengths.field) ?? '';
  return {
    message: sanitize(fields.message, maxLengths.message),
    type: sanitize(fields.type, maxLengths.field),
    code: /^[\w.-]{1,64}$/.test(code) ? code : undefined,
    param: sanitize(fields.param, maxLengths.field),
  };
}

function shorten(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1).toWellFormed()}…` : text;
}

/** On this path a 404 concerns the model, unless it names another parameter or the path. */
function isUnknownModel(fields: ErrorFields): boolean {
  if (isWrongPath(404, fields)) return false;
  return fields.param === undefined || fields.param === 'model';
}

/** A 404 or 405 of a web framework: the configured base URL is wrong, not the client's request. */
function isWrongPath(status: number, { code, isFrameworkError }: ErrorFields): boolean {
  return status === 405 || (status === 404 && (isFrameworkError === true || code === 'unknown_url'));
}
