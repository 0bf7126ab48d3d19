import type { StorageOutage } from '@modelwire/ports';

/** The S3 server rejected an operation or could not be reached. */
export class S3BlobsError extends Error {
  override readonly name = 'S3BlobsError';
  /** The server's error code (`AccessDenied`, `NoSuchBucket`, `SlowDown`, …) or the connection's (`ECONNREFUSED`, …). */
  readonly code: string;
  /** Status of the response; undefined if there was none. */
  readonly status: number | undefined;
  readonly noSpace: boolean;
  /** Set when the server cannot be reached, does not respond in time, or reports that it is unavailable. */
  readonly outage: StorageOutage | undefined;

  constructor(
    message: string,
    { code, status, cause }: { readonly code: string; readonly status?: number; readonly cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.noSpace = status === 507 || code === 'QuotaExceeded' || code === 'XMinioStorageFull';
    this.outage = this.noSpace ? undefined : toOutage(code, status);
  }
}

const errorMessages: Readonly<Record<string, string>> = {
  AccessDenied: 'the credentials do not allow it',
  CredentialsUnavailable: 'the AWS SDK found no credentials',
  AuthorizationHeaderMalformed: 'the bucket is in another region',
  EntityTooLarge: 'it is larger than the server allows',
  ExpiredToken: 'the credentials have expired',
  InvalidAccessKeyId: 'the access key does not exist',
  NoSuchBucket: 'the bucket does not exist',
  PermanentRedirect: 'the bucket is in another region',
  PreconditionFailed: 'the key already exists',
  QuotaExceeded: 'the storage is full',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  SlowDown: 'the server limits the request rate',
  XMinioStorageFull: 'the storage is full',
  ECONNREFUSED: 'the endpoint refuses connections',
  ENOTFOUND: 'the host name of the endpoint cannot be resolved',
};

/** Causes of connection failures, for logs. */
const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host name cannot be resolved',
  EAI_AGAIN: 'host name cannot be resolved',
  UND_ERR_CONNECT_TIMEOUT: 'timeout while connecting',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout within a body',
  ETIMEDOUT: 'timeout',
  ECONNRESET: 'connection lost',
  UND_ERR_SOCKET: 'connection lost',
  EPIPE: 'connection lost',
  ConnectionLost: 'connection lost while reading',
  CredentialsUnavailable: 'no credentials found',
};

function toOutage(code: string, status: number | undefined): StorageOutage | undefined {
  if (status === undefined) {
    if (code === 'CLOSED') return undefined;
    const cause = causes[code];
    return { dependency: 's3', cause: cause === undefined ? `connection failed (${code})` : `${cause} (${code})` };
  }
  if (!retryableCodes.has(code) && status !== 429 && (status < 500 || status === 501)) return undefined;
  return { dependency: 's3', cause: `server returned ${status} (${code})` };
}

const retryableCodes = new Set([
  'SlowDown',
  'InternalError',
  'RequestTimeout',
  'ConditionalRequestConflict',
  'OperationAborted',
]);

/** The server's error, or why there is no response. Messages of the server are dropped: some contain parts of the credentials. */
export type S3Failure =
  | { readonly status: number; readonly code: string }
  | { readonly status: undefined; readonly code: string; readonly cause: unknown };

/** Whether a retry may succeed. */
export function isRetryable({ status, code }: S3Failure): boolean {
  if (status === undefined || retryableCodes.has(code)) return true;
  return status === 429 || (status >= 500 && status !== 501);
}

/** Whether the attempt timed out. */
export function isTimeout({ status, code }: S3Failure): boolean {
  return status === undefined && /TIMEOUT|ETIMEDOUT/.test(code);
}

export function toError(failureMessage: string, failure: S3Failure): S3BlobsError {
  const { status, code } = failure;
  const reason = errorMessages[code];
  const details = [code, ...(status === undefined ? [] : [`status ${status}`])].join(', ');
  return new S3BlobsError(`${failureMessage}: ${reason === undefined ? details : `${reason} (${details})`}`, {
    code,
    ...(status === undefined ? { cause: failure.cause } : { status }),
  });
}

/** Returns the error code in the body, or `HTTP` and the status. */
export function parseErrorCode(body: string, status: number): string {
  return /<Code>([A-Za-z.]{1,64})<\/Code>/.exec(body)?.[1] ?? `HTTP${status}`;
}
