import { isRecord, parseJson } from '@modelwire/adapter-kit';
import { isTooDeep, objectItems } from '../requests/json.ts';

/** The details of an error body of any shape. */
export interface ErrorFields {
  readonly message?: string | undefined;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
  /** An HTTP error status in the body. */
  readonly status?: number | undefined;
  /** A web framework's `{"detail": …}`, not this interface's error. */
  readonly isFrameworkError?: boolean;
}

/** Names under which servers and gateways send the message of an error. */
const messageNames = [
  'message',
  'Message',
  'msg',
  'error_message',
  'error_msg',
  'errorMessage',
  'detail',
  'title',
  'reason',
];

/** Whether a body is an error as clients expect it: of this interface, with all its fields, or of the Messages API. */
export function isClientError(text: string): boolean {
  const value = isTooDeep(text) ? undefined : parseJson(text);
  if (!isRecord(value) || !isRecord(value['error'])) return false;
  const { message, type, param, code } = value['error'];
  if (typeof message !== 'string' || typeof type !== 'string') return false;
  const isNullableText = (field: unknown): boolean => field === null || typeof field === 'string';
  return value['type'] === 'error' || (isNullableText(param) && isNullableText(code));
}

/** The body of an error status, or of a reply without what was requested; undefined if it says nothing that can be passed on. */
export function readErrorBody(text: string): ErrorFields | undefined {
  const value = isTooDeep(text) ? undefined : parseJson(text);
  return value === undefined ? readErrorText(text) : readErrorValue(value);
}

/**
 * The error in a JSON value that may be another object; undefined if there is none. Besides `{"error": {…}}`, servers send `{"error": "text"}`,
 * `{"object": "error", "message": …}`, `{"type": "error", …}` and `{"detail": …}`. Numeric codes repeat the status.
 */
export function errorFields(value: unknown): ErrorFields | undefined {
  if (!isRecord(value)) return undefined;
  const { error, detail } = value;
  if (typeof error === 'string' && error !== '') return { ...readFields(value), message: error };
  if (isRecord(error) && Object.keys(error).length > 0)
    return readFields(isRecord(error['error']) ? error['error'] : error);
  if (error === true || value['object'] === 'error' || value['type'] === 'error') return readFields(value);
  if (detail !== undefined && detail !== null && value['choices'] === undefined)
    return { message: messageIn(detail), isFrameworkError: true };
  return undefined;
}

/** The same of a value that is known to be an error: other names, and lists. */
function readErrorValue(value: unknown): ErrorFields | undefined {
  if (typeof value === 'string') return readErrorText(value);
  if (Array.isArray(value)) return readErrorValue(objectItems(value)[0]);
  if (!isRecord(value)) return undefined;
  const error = errorFields(value);
  if (error?.message !== undefined) return error;
  const listed = objectItems(value['errors'])[0];
  const fields = listed ? readFields(listed) : readFields(value);
  return fields.message === undefined ? error : { ...error, ...fields };
}

/** Longer texts, and the lines after the first, are no messages: they may be pages, dumps and stack traces. */
const maxTextLength = 500;

/** A text that is no JSON. Markup and stack traces are not passed on. */
function readErrorText(text: string): ErrorFields | undefined {
  const line = text.trim().split(/\r?\n/, 1)[0]?.replaceAll(/\p{C}/gu, '').trim() ?? '';
  const isMessage = line !== '' && line.length <= maxTextLength && !/[<>{}]|^\[|^Traceback\b/.test(line);
  return isMessage ? { message: line } : undefined;
}

function readFields(fields: Readonly<Record<string, unknown>>): ErrorFields {
  const { type, code, param, status, status_code } = fields;
  const httpStatus = [status, status_code, code].find(
    (candidate) => Number.isInteger(candidate) && Number(candidate) >= 400 && Number(candidate) < 600,
  );
  return {
    message: messageIn(fields),
    type: nonEmptyString(type),
    code: nonEmptyString(code),
    param: nonEmptyString(param),
    // An error event of the Messages API has its status in its type.
    status: typeof httpStatus === 'number' ? httpStatus : type === 'overloaded_error' ? 529 : undefined,
  };
}

/** A message is a text, or an object or a list of objects with one. */
function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return nonEmptyString(value);
  const fields = isRecord(value) ? value : objectItems(value)[0];
  if (!fields || depth > 2) return undefined;
  for (const name of messageNames) {
    const message = messageIn(fields[name], depth + 1);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** Strings only; some servers write null as a string. */
function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'None' && value !== 'null' ? value : undefined;
}

/** Whether an error says that the account is used up or sends too much: then the upstream works. */
export function isQuotaError({ status, type, code }: ErrorFields): boolean {
  return status === 429 || [type, code].some((name) => name !== undefined && quotaPattern.test(name));
}

const quotaPattern =
  /quota|rate.?limit|billing|insufficient.?(?:balance|funds|credit)|resource.?exhausted|too.?many.?requests/i;
