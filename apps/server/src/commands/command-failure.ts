import { BlobMissingError, isNoSpace, isStorageUnavailable } from '@modelwire/ports';
import { ConfigError } from '../config/config-error.ts';
import type { Settings } from '../config/settings.ts';

/**
 * Describes a failure that an operator can expect and fix, such as a full disk or a storage that cannot be reached: the cause, and what to do.
 * Undefined for unexpected errors, which need a stack trace.
 */
export function describeFailure(error: unknown): string | undefined {
  if (error instanceof ConfigError) {
    const { cause } = error;
    // The error of a store that could not be opened has only the message of its cause, not what to do.
    const fix = cause instanceof Error && error.message.endsWith(cause.message) ? fixOf(cause) : undefined;
    return fix === undefined ? error.message : withFix(error.message, fix);
  }
  if (!(error instanceof Error)) return undefined;
  if (error instanceof BlobMissingError) return `The file contents ${error.key} are missing from the file storage.`;
  const message = messageOf(error);
  if (message === undefined) return undefined;
  return withFix(message, fixOf(error));
}

const withFix = (message: string, fix: string | undefined): string =>
  `${message.replace(/\.$/, '')}.${fix === undefined ? '' : ` ${fix}`}`;

/**
 * Runs a command.
 *
 * @throws ConfigError with the message `<command>: <message>` for every failure that an operator can expect. With the log level `debug` or
 * `trace`, it includes the stack trace. Other errors are programming errors.
 */
export async function describeFailures<Result>(
  name: string,
  { logLevel }: Pick<Settings, 'logLevel'>,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    // Always one line, also if an ID or a path contains line feeds.
    const description = describeFailure(error)?.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
    if (description === undefined) throw error;
    const message = description.startsWith(`${name}: `) ? description : `${name}: ${description}`;
    const withStack = logLevel === 'debug' || logLevel === 'trace';
    const stack = withStack && error instanceof Error ? `\n${error.stack ?? ''}` : '';
    throw new ConfigError(message + stack, { cause: error });
  }
}

/** By name: loading the adapters of PostgreSQL and S3 takes time. */
const prefixes: Readonly<Record<string, string>> = {
  FsBlobsError: 'data: ',
  S3BlobsError: 's3: ',
  StoreError: 'database: ',
  StoreTooNewError: 'database: ',
};

const systemMessages: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is exhausted',
  EEXIST: 'the path exists',
  EIO: 'the disk reported an error',
  EISDIR: 'the path is a folder',
  ELOOP: 'the path is a symbolic link',
  EMFILE: 'too many files are open in this process',
  ENOENT: 'no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'the path is not a folder',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

function messageOf(error: Error): string | undefined {
  const prefix = prefixes[error.name];
  if (prefix !== undefined) return prefix + error.message;
  if (codeOf(error) === 'ERR_SQLITE_ERROR') return `database: SQLite: ${error.message}`;
  return systemMessage(error);
}

/** Describes an error of the file system, with its path; undefined for other errors. */
export function systemMessage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('errno' in error)) return undefined;
  const { path, dest } = error as NodeJS.ErrnoException & { readonly dest?: string };
  const [code, place] = [codeOf(error), dest ?? path];
  const reason = `${systemMessages[code] ?? 'the operation failed'} (${code})`;
  return place === undefined ? reason : `${place}: ${reason}`;
}

const permissionCodes = ['EACCES', 'EPERM', 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_PERM'];
const damageCodes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];
const credentialCodes = ['AccessDenied', 'ExpiredToken', 'InvalidAccessKeyId', 'SignatureDoesNotMatch'];

const unavailableFixes: Readonly<Record<string, string>> = {
  postgres: 'Check that PostgreSQL is running and reachable, then repeat the command.',
  s3: 'Check that the S3 service is running and that its endpoint is correct, then repeat the command.',
};

function fixOf(error: Error): string | undefined {
  const code = codeOf(error);
  if (isNoSpace(error) || code === 'ENOSPC' || code === 'EDQUOT') return 'Free space, then repeat the command.';
  if (permissionCodes.includes(code))
    return 'Check the owner and the permissions: run the command as the user of the server.';
  if (code === 'EROFS') return 'Use a folder on a writable file system.';
  if (code === 'SQLITE_BUSY') return 'Another process is using the database: repeat the command when it has finished.';
  if (damageCodes.includes(code))
    return 'The database in the data folder is damaged: see "Lost or damaged data" in docs/operations/incidents.md.';
  if (isStorageUnavailable(error))
    return unavailableFixes[error.outage.dependency] ?? 'Check the disk, then repeat the command.';
  if (error.name !== 'S3BlobsError') return undefined;
  return credentialCodes.includes(code)
    ? 'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the permissions of the key.'
    : 'Check the bucket, the region and the endpoint.';
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
