import { RequestError, modelNotFound } from '@modelwire/ports';
import type { ReplyHeaders, TransportError } from './exchange.ts';
import { readErrorBody } from './error-body.ts';
import type { ErrorFields } from './error-body.ts';
import { passedHeaders } from './passed-headers.ts';
import { redacted } from './secrets.ts';
import type { ServerSettings } from './settings.ts';

/** What went wrong with one attempt, and what that means for the next. */
export interface Failure {
  readonly error: RequestError;
  /**
   * `anywhere`: worth another attempt, at this server too. `elsewhere`: only another server can do better.
   * `nowhere`: the request itself is at fault, or the reply had begun.
   */
  readonly again: 'anywhere' | 'elsewhere' | 'nowhere';
  /** Whether the breaker counts it. */
  readonly blame: boolean;
}

/** The server that failed: its name for the log, and what an error must not show. */
type Culprit = Pick<ServerSettings, 'name' | 'secrets'>;

/** UTF-16 units of what an upstream says. */
const most = { message: 2_000, field: 100 };

export function transportFailure(error: TransportError, server: string): Failure {
  const cause = new Error(`${server}: ${error.message} at ${error.at}`);
  if (error.timeout) {
    const what = { connect: 'could not be reached', headers: 'did not answer', body: 'fell silent' }[error.at];
    return {
      error: upstreamError(504, 'upstream_timeout', `The model's server ${what} in time.`, { cause }),
      again: error.at === 'connect' ? 'anywhere' : error.at === 'headers' ? 'elsewhere' : 'nowhere',
      blame: true,
    };
  }
  if (error.at === 'body') return { error: interrupted(cause), again: 'nowhere', blame: true };
  if (error.malformed) return { error: unexpected('no valid HTTP', cause), again: 'elsewhere', blame: true };
  return {
    error: upstreamError(502, 'upstream_unreachable', "The model's server could not be reached.", { cause }),
    again: 'anywhere',
    blame: true,
  };
}

/** A reply whose status is not 2xx. `text` is its body, undefined when that could not be read. */
export function replyFailure(
  status: number,
  headers: ReplyHeaders,
  text: string | undefined,
  publicId: string,
  server: Culprit,
): Failure {
  const cause = new Error(`${server.name}: status ${status}`);
  const init = { cause, headers: passedHeaders(headers) };
  const told = 'retry-after' in init.headers || 'retry-after-ms' in init.headers;
  const fields = text === undefined ? undefined : readErrorBody(text);
  if (status === 401 || status === 403) {
    const message = "The model's server refused this server's credentials.";
    const error = upstreamError(502, 'upstream_authentication_failed', message, { cause });
    return { error, again: 'elsewhere', blame: false };
  }
  if (status === 404 && fields !== undefined && isUnknownModel(fields)) {
    return { error: modelNotFound(publicId), again: 'elsewhere', blame: false };
  }
  if (status === 429 || status === 413) {
    const fallback = status === 429 ? "The model's server has too many requests." : 'The request is too large.';
    const error = passedError(status, fields ?? { message: fallback }, server.secrets, init);
    return { error, again: status === 429 ? 'elsewhere' : 'nowhere', blame: false };
  }
  if (status >= 400 && status < 500 && fields?.message !== undefined && !isWrongPath(status, fields)) {
    const error = passedError(status, fields, server.secrets, init);
    return { error, again: status === 408 ? 'anywhere' : 'nowhere', blame: false };
  }
  const again = !transient.has(status) ? 'nowhere' : told ? 'elsewhere' : 'anywhere';
  const busy = status === 503 && told;
  return {
    error: busy
      ? upstreamError(503, 'upstream_error', "The model's server is overloaded.", init)
      : upstreamError(502, 'upstream_error', `The model's server failed (status ${status}).`, { cause }),
    again,
    blame: status >= 500,
  };
}

const transient: ReadonlySet<number> = new Set([408, 500, 502, 503, 504]);

/** An error that came inside a reply of status 200: an error frame of a stream, or a body that is one. */
export function errorInReply(fields: ErrorFields, server: Culprit): RequestError {
  const { status = 502 } = fields;
  const cause = new Error(`${server.name}: error inside a reply`);
  if (status === 401 || status === 403) {
    return upstreamError(502, 'upstream_error', "The model's server failed.", { cause });
  }
  return passedError(status, fields, server.secrets, { cause });
}

/** A reply of status 200 that is not what was asked for. Its bytes are not shown. */
export function unexpectedReply(why: string, server: string): RequestError {
  return unexpected(why, new Error(`${server}: ${why}`));
}

function unexpected(why: string, cause: Error): RequestError {
  return upstreamError(502, 'upstream_error', `The model's server sent an unexpected reply: ${why}.`, { cause });
}

/** The stream ended before it was finished. */
export function interrupted(cause?: Error): RequestError {
  return upstreamError(502, 'upstream_stream_interrupted', "The model's server broke off its reply.", { cause });
}

/** The stream was finished, but not all choices that were asked for came. */
export function incomplete(came: number, asked: number): RequestError {
  return upstreamError(502, 'upstream_error', `The model's server sent ${came} of ${asked} choices.`, {});
}

/** The engine takes no new requests. */
export function closing(): RequestError {
  return upstreamError(503, 'shutting_down', 'The server is shutting down.', { headers: { 'retry-after': '1' } });
}

/** All servers of the model are left alone by their breakers. */
export function unavailable(milliseconds: number): RequestError {
  const headers = { 'retry-after': String(Math.max(1, Math.ceil(milliseconds / 1000))) };
  return upstreamError(503, 'upstream_unavailable', "The model's servers are failing. Please retry later.", {
    headers,
  });
}

interface Rest {
  readonly cause?: Error | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

function upstreamError(status: number, code: string, message: string, rest: Rest): RequestError {
  return new RequestError(message, { status, type: 'server_error', code, ...rest });
}

/** A server that echoes headers must not hand our secrets to the caller, in whichever field. */
function passedError(status: number, fields: ErrorFields, secrets: readonly string[], rest: Rest): RequestError {
  const show = (text: string | undefined, limit: number): string | undefined =>
    text === undefined ? undefined : shorten(redacted(text, secrets), limit);
  const message = show(fields.message, most.message) ?? "The model's server reported an error.";
  const kind = status === 429 ? 'rate_limit_exceeded' : status >= 500 ? 'server_error' : 'invalid_request_error';
  const code = show(fields.code, most.field) ?? '';
  return new RequestError(message, {
    status,
    type: show(fields.type, most.field) ?? kind,
    code: /^[\w.-]{1,64}$/.test(code) ? code : null,
    param: show(fields.param, most.field) ?? null,
    ...rest,
  });
}

function shorten(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit - 1).toWellFormed()}…` : text;
}

/** On this path a 404 speaks of the model, unless it names another parameter or the path itself. */
function isUnknownModel(fields: ErrorFields): boolean {
  if (isWrongPath(404, fields)) return false;
  return fields.param === undefined || fields.param === 'model';
}

/** Our base URL is wrong, not the caller's request: a web framework's own 404 or 405. */
function isWrongPath(status: number, { code, bare }: ErrorFields): boolean {
  return status === 405 || (status === 404 && (bare || code === 'unknown_url'));
}
