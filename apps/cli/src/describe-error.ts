import {
  ApiError,
  ConnectionError,
  DecodeError,
  InputError,
  isModelwireError,
  StreamError,
  TimeoutError,
} from '@modelwire/core';
import { CliError } from './cli-error.ts';
import { missingVersionHint } from './config/base-url.ts';
import { EXIT } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';

/** The printed form of an error, as text or as the object of `--json`. */
export interface ErrorDescription {
  readonly code: ExitCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** `baseURL`: the server of the request, if any. */
export function describeError(error: unknown, baseURL?: string): ErrorDescription {
  const cliError = findCliError(error);
  if (cliError !== undefined) {
    const { code, message, hint } = cliError;
    return { code, message, hint, fields: {} };
  }
  if (isBrokenPipe(error)) return { code: EXIT.brokenPipe, message: '', fields: {} };
  if (isModelwireError(error)) {
    const { status, type, param, code, requestId } = error;
    const request = requestId === undefined ? '' : ` (request ${requestId})`;
    const reason = reasonOf(error);
    return {
      code: exitCodeOf(error),
      message: (reason === '' ? error.message : error.message.replace(/\.$/, '') + reason) + request,
      hint: hintFor(error, baseURL),
      fields: { status, type, param, code, request_id: requestId },
    };
  }
  if (isFileError(error)) {
    // A full disk is not a mistake in the command line, and the request may have been sent.
    const code = diskErrors.has(error.code) ? EXIT.failure : EXIT.usage;
    // "ENOENT: no such file or directory, open '/path'"
    const [, reason, path] = /^\w+: ([^,]+), \w+ '([^']+)'/.exec(error.message) ?? [];
    const message = path === undefined ? error.message : `Cannot access ${path}: ${reason ?? ''}.`;
    return { code, message, fields: { code: error.code } };
  }
  return { code: EXIT.failure, message: error instanceof Error ? error.message : String(error), fields: {} };
}

/** Also finds one that a client wrapped: invalid input lines are detected while they are sent. */
function findCliError(error: unknown): CliError | undefined {
  for (let current = error; current instanceof Error; current = current.cause)
    if (current instanceof CliError) return current;
  return undefined;
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof ApiError) {
    const { status } = error;
    if (status === 401 || status === 403) return EXIT.unauthorized;
    if (status === 404) return EXIT.notFound;
    if (status === 429) return EXIT.rateLimited;
    return status >= 500 ? EXIT.server : EXIT.rejected;
  }
  if (error instanceof ConnectionError || error instanceof TimeoutError) return EXIT.connection;
  if (error instanceof StreamError || error instanceof DecodeError) return EXIT.server;
  if (error instanceof InputError) return EXIT.usage;
  if (error instanceof Error && error.name === 'AbortError') return EXIT.interrupted;
  return EXIT.failure;
}

function hintFor(error: unknown, baseURL: string | undefined): string | undefined {
  const code = exitCodeOf(error);
  if (code === EXIT.connection) {
    return 'Run modelwire doctor to diagnose the problem, or modelwire serve to start a server.';
  }
  if (error instanceof ApiError && error.status === 403) return 'Use an API key whose role allows this request.';
  if (code === EXIT.unauthorized) {
    return 'Set MODELWIRE_API_KEY, or store a key in a profile: modelwire profiles create <name>';
  }
  const isWrongPath =
    error instanceof DecodeError || (error instanceof ApiError && (error.status === 404 || error.status === 405));
  return isWrongPath && baseURL !== undefined ? missingVersionHint(baseURL) : undefined;
}

/** The underlying reason, if the message does not contain it: an error met while waiting, or a system error. */
function reasonOf({ message, cause }: Error): string {
  for (let current: unknown = cause; current instanceof Error; current = current.cause) {
    const systemError =
      'code' in current && typeof current.code === 'string' ? current.message || current.code : undefined;
    if (isModelwireError(current) || systemError !== undefined) {
      const reason = systemError ?? current.message;
      return message.includes(reason) ? '' : `: ${reason}`;
    }
  }
  return '';
}

function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}

const diskErrors: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG', 'EMFILE', 'ENFILE']);

function isFileError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}
