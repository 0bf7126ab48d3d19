import { isRecord, parseJson } from '@modelwire/ports';
import { objectItems } from './json.ts';

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

/** Reads an error body; undefined if it is not one. */
export function readErrorBody(text: string): ErrorFields | undefined {
  return errorFields(parseJson(text));
}

/**
 * The error in a JSON value; undefined if there is none. Besides `{"error": {…}}`, servers send `{"error": "text"}`, `{"object": "error",
 * "message": …}` and `{"detail": …}`. Numeric codes repeat the status.
 */
export function errorFields(value: unknown): ErrorFields | undefined {
  if (!isRecord(value)) return undefined;
  const { error, detail } = value;
  if (typeof error === 'string') return { message: error };
  if (isRecord(error)) return readFields(error);
  if (value['object'] === 'error') return readFields(value);
  if (detail !== undefined && value['choices'] === undefined)
    return { message: readDetail(detail), isFrameworkError: true };
  return undefined;
}

function readFields(fields: Readonly<Record<string, unknown>>): ErrorFields {
  const { message, type, code, param, status } = fields;
  const httpStatus = [status, code].find(
    (candidate) => Number.isInteger(candidate) && Number(candidate) >= 400 && Number(candidate) < 600,
  );
  return {
    message: nonEmptyString(message),
    type: nonEmptyString(type),
    code: nonEmptyString(code),
    param: nonEmptyString(param),
    status: typeof httpStatus === 'number' ? httpStatus : undefined,
  };
}

function readDetail(detail: unknown): string | undefined {
  return nonEmptyString(detail) ?? nonEmptyString(objectItems(detail)[0]?.['msg']);
}

/** Strings only; some servers write null as a string. */
function nonEmptyString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'None' && value !== 'null' ? value : undefined;
}
