import { ContentCorruptedError, RequestError, invalid, isNoSpace, isStorageUnavailable } from '@modelwire/ports';
import type { StreamFailure } from '@modelwire/ports';
import type { ErrorBody, Problem } from '@modelwire/schema/types';

export {
  RequestError,
  invalid,
  modelNotFound,
  notFound,
  overloaded,
  unsupported,
  unsupportedValue,
} from '@modelwire/ports';

/** The error body in its wire format. */
export function errorBody({ message, type, param, code }: RequestError): ErrorBody {
  return { error: { message, type, param, code } };
}

/** The error as it is stored with a stream. */
export function failureOf({ status, type, code, message, param }: RequestError): StreamFailure {
  return { status, type, code, message, param };
}

/** A 400 with the field and the problem. */
export function invalidField({ message, param, code }: Problem): RequestError {
  return invalid(param, message, code);
}

/** Converts a thrown value to an error that may be shown to the client: unexpected errors do not reveal their message. */
export function toRequestError(thrown: unknown): RequestError {
  if (thrown instanceof RequestError) return thrown;
  if (isNoSpace(thrown)) return noSpace(thrown);
  if (isStorageUnavailable(thrown)) return storageUnavailable(thrown);
  if (thrown instanceof ContentCorruptedError) return contentCorrupted(thrown);
  return new RequestError('The server had an error while processing your request. Sorry about that!', {
    status: 500,
    code: 'internal_error',
    cause: thrown,
  });
}

/** The stored bytes are not those that were stored. A header tells clients that retry every 5xx not to. */
function contentCorrupted(cause: ContentCorruptedError): RequestError {
  return new RequestError('The stored contents are damaged, and are not delivered. Store them again.', {
    status: 500,
    code: 'content_corrupted',
    headers: { 'x-should-retry': 'false' },
    cause,
  });
}

export function missingKey(): RequestError {
  return new RequestError(
    'You did not provide an API key. Send it in an Authorization header: "Authorization: Bearer YOUR_KEY".',
    { status: 401, code: 'missing_api_key', headers: { 'www-authenticate': 'Bearer' } },
  );
}

export function invalidKey(): RequestError {
  return new RequestError('Incorrect API key provided.', {
    status: 401,
    code: 'invalid_api_key',
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** The session of the console has expired or was revoked, or its key was. */
export function invalidSession(): RequestError {
  return new RequestError('The session has expired or was ended. Sign in again.', {
    status: 401,
    code: 'invalid_session',
  });
}

/** `suggestion`: a path that the client may have meant. */
export function unknownPath(method: string, path: string, suggestion?: string): RequestError {
  const message = `Unknown request URL: ${method} ${shorten(path)}.${didYouMean(suggestion)}`;
  return new RequestError(message, { status: 404, code: 'unknown_url' });
}

/** `suggestion`: a path with this method that the client may have meant. */
export function methodNotAllowed(
  method: string,
  path: string,
  allowed: readonly string[],
  suggestion?: string,
): RequestError {
  const message = `Not allowed to ${method} on ${shorten(path)}; allowed: ${allowed.join(', ')}.${didYouMean(suggestion)}`;
  return new RequestError(message, {
    status: 405,
    code: 'method_not_allowed',
    headers: { allow: allowed.join(', ') },
  });
}

function didYouMean(path: string | undefined): string {
  return path === undefined ? '' : ` Did you mean ${shorten(path)}?`;
}

export function bodyTooLarge(limit: number): RequestError {
  return new RequestError(`The request body is larger than ${limit} bytes.`, {
    status: 413,
    code: 'request_too_large',
  });
}

/** The file of a form, or the object that it would become part of, is larger than allowed. */
export function fileTooLarge(field: string, limit: number, what = `The file in '${field}' is`): RequestError {
  return new RequestError(`${what} larger than ${limit} bytes (${limit / 1024 ** 2} MB).`, {
    status: 413,
    code: 'request_too_large',
    param: field,
  });
}

/** The body was not received in time. Official clients retry this status. */
export function uploadTimeout(): RequestError {
  return new RequestError('The request body was not sent in time.', { status: 408, code: 'request_timeout' });
}

export function rangeNotSatisfiable(bytes: number): RequestError {
  return new RequestError(`The requested range is outside of the content, which has ${bytes} bytes.`, {
    status: 416,
    code: 'range_not_satisfiable',
    param: 'Range',
    headers: { 'content-range': `bytes */${bytes}`, 'accept-ranges': 'bytes' },
  });
}

/** The status of the object does not allow the operation. A 400, since official clients retry a 409. */
export function invalidState(message: string): RequestError {
  return new RequestError(message, { status: 400, code: 'invalid_state' });
}

/** The batch has ended. A header tells clients that retry every 409 not to. */
export function batchNotCancellable(status: string): RequestError {
  return new RequestError(`Cannot cancel a batch with status '${status}'.`, {
    status: 409,
    code: 'batch_not_cancellable',
    headers: { 'x-should-retry': 'false' },
  });
}

/** A rotation that would end the grace period of the previous one. A header tells clients that retry every 409 not to. */
export function rotationInProgress(what: string, id: string): RequestError {
  return new RequestError(
    `The previous secret of the ${what} '${id}' is still valid. Wait until its grace period ends, or rotate without 'grace_seconds', which ends it immediately.`,
    { status: 409, code: 'rotation_in_progress', param: 'grace_seconds', headers: { 'x-should-retry': 'false' } },
  );
}

export function unsupportedContentType(expected: string): RequestError {
  return new RequestError(`Unsupported content type: send the body as '${expected}'.`, {
    status: 415,
    code: 'unsupported_content_type',
  });
}

export function unsupportedEncoding(encoding: string): RequestError {
  return new RequestError(
    `Unsupported content encoding '${shorten(encoding)}': send the body without Content-Encoding.`,
    {
      status: 415,
      code: 'unsupported_content_encoding',
      param: 'Content-Encoding',
      headers: { 'accept-encoding': 'identity' },
    },
  );
}

/** A disk, a quota or a bucket is full. The request can be retried when there is space. */
function noSpace(cause: unknown): RequestError {
  return new RequestError('The server has no storage space left: nothing of this request was stored.', {
    status: 507,
    code: 'insufficient_storage',
    cause,
  });
}

/** The database or the blob storage is down, restarting or does not respond. A write may have been carried out. */
function storageUnavailable(cause: unknown): RequestError {
  return new RequestError(
    'The storage of this server is temporarily unavailable. The request may or may not have been carried out. Please retry later.',
    { status: 503, code: 'storage_unavailable', headers: { 'retry-after': '2' }, cause },
  );
}

/** A query that would exceed its time limit again. @param hint What the client can change, as a sentence. */
export function queryTimeout(param: string | null, hint: string, cause: unknown): RequestError {
  return new RequestError(`The query took longer than the storage of this server allows. ${hint}`, {
    status: 503,
    code: 'query_timeout',
    param,
    headers: { 'retry-after': '2', 'x-should-retry': 'false' },
    cause,
  });
}

/** The response to requests that arrive while the server drains. */
export function shuttingDown(): RequestError {
  return new RequestError('The server is shutting down.', {
    status: 503,
    code: 'shutting_down',
    headers: { 'retry-after': '1' },
  });
}

/** The server that generated a stream stopped, or could not reach the storage for too long. */
export function streamInterrupted(): RequestError {
  return new RequestError(
    'The server that generated this completion stopped before its end. Send the request again to generate another one.',
    { status: 500, code: 'stream_interrupted' },
  );
}

/** No client read a stream for too long. A retry generates it again. */
export function streamAbandoned(): RequestError {
  return new RequestError('The generation of this completion was stopped, because no client read it for too long.', {
    status: 408,
    code: 'stream_abandoned',
  });
}

/** A client deleted the completion while it was generated. */
export function streamCancelled(): RequestError {
  return new RequestError('The completion was deleted while it was generated.', {
    status: 404,
    code: 'stream_cancelled',
  });
}

/** Values in an error message: `'a', 'b'`. */
export function quoteAll(values: readonly string[]): string {
  return values.map((value) => `'${value}'`).join(', ');
}

/** Truncates values of clients in error messages. */
function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** A path of a chat request as it occurs in `param` and, quoted, in messages. */
const quotedPath = /'([a-z_]+(?:\[\d+\]|\.[\w]+)*)'/g;

/** Renames the fields in an error of a chat request to those of the client's request. An error that names no field is returned unchanged. */
export function renameFields(error: RequestError, rename: (path: string) => string): RequestError {
  const { status, type, code, headers, cause, param, message } = error;
  if (param === null) return error;
  const renamedMessage = message.replace(quotedPath, (quoted, path: string) => {
    const renamed = rename(path);
    return renamed === path ? quoted : `'${renamed}'`;
  });
  return new RequestError(renamedMessage, { status, type, code, headers, cause, param: rename(param) });
}
