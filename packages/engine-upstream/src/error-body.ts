import { isRecord } from '@modelwire/ports';
import { objectsIn, parseJson } from './json.ts';

/** The details of an error body of any shape. */
export interface ErrorFields {
  readonly message?: string | undefined;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
  /** An HTTP error status in the body. */
  readonly status?: number | undefined;
  /** A web framework's `{"detail": …}`, not this interface's error. */
  readonly bare?: boolean;
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
  if (detail !== undefined && value['choices'] === undefined) return { message: readDetail(detail), bare: true };
  return undefined;
}

function readFields(fields: Readonly<Record<string, unknown>>): ErrorFields {
  const { message, type, code, param, status } = fields;
  const number = [status, code].find(
    (candidate) => Number.isInteger(candidate) && Number(candidate) >= 400 && Number(candidate) < 600,
  );
  return {
    message: textOf(message),
    type: textOf(type),
    code: textOf(code),
    param: textOf(param),
    status: typeof number === 'number' ? number : undefined,
  };
}

function readDetail(detail: unknown): string | undefined {
  return textOf(detail) ?? textOf(objectsIn(detail)[0]?.['msg']);
}

/** Strings only; some servers write null as a string. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value !== 'None' && value !== 'null' ? value : undefined;
}
