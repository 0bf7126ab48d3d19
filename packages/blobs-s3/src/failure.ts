import type { StorageOutage } from '@modelwire/ports';

/** The store of bytes did not do what was asked for, or could not be reached. */
export class S3BlobsError extends Error {
  override readonly name = 'S3BlobsError';
  /** That of the store (`AccessDenied`, `NoSuchBucket`, `SlowDown`, …) or of the connection (`ECONNREFUSED`, …). */
  readonly code: string;
  /** Of the answer; undefined when there was none. */
  readonly status: number | undefined;
  readonly noSpace: boolean;
  /** Where the store cannot be reached, does not answer in time, or says that it cannot serve at the moment. */
  readonly outage: StorageOutage | undefined;

  constructor(
    message: string,
    { code, status, cause }: { readonly code: string; readonly status?: number; readonly cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.noSpace = status === 507 || code === 'QuotaExceeded' || code === 'XMinioStorageFull';
    this.outage = this.noSpace ? undefined : outageOf(code, status);
  }
}

const meanings: Readonly<Record<string, string>> = {
  AccessDenied: 'the credentials do not allow it',
  AuthorizationHeaderMalformed: 'the region is another one',
  EntityTooLarge: 'it is larger than the store allows',
  ExpiredToken: 'the credentials have expired',
  InvalidAccessKeyId: 'the store does not know the access key',
  NoSuchBucket: 'there is no such bucket',
  PermanentRedirect: 'the bucket is in another region',
  PreconditionFailed: 'there are bytes under that key already',
  QuotaExceeded: 'the store is full',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
  SignatureDoesNotMatch: 'the secret access key is wrong',
  SlowDown: 'the store asks for fewer requests',
  XMinioStorageFull: 'the store is full',
  ECONNREFUSED: 'nobody answers at the endpoint',
  ENOTFOUND: 'the host of the endpoint is not known',
};

/** What logs say of a store that cannot be reached. */
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
};

function outageOf(code: string, status: number | undefined): StorageOutage | undefined {
  if (status === undefined) {
    if (code === 'CLOSED') return undefined;
    const cause = causes[code];
    return { dependency: 's3', cause: cause === undefined ? `connection failed (${code})` : `${cause} (${code})` };
  }
  if (!passing.has(code) && status !== 429 && (status < 500 || status === 501)) return undefined;
  return { dependency: 's3', cause: `server answered ${status} (${code})` };
}

const passing = new Set([
  'SlowDown',
  'InternalError',
  'RequestTimeout',
  'ConditionalRequestConflict',
  'OperationAborted',
]);

/** What the store answered, or why there is no answer. Texts of the store are not passed on: some repeat parts of the credentials. */
export type Refusal =
  | { readonly status: number; readonly code: string }
  | { readonly status: undefined; readonly code: string; readonly cause: unknown };

/** Whether the same request may succeed a little later. */
export function passes({ status, code }: Refusal): boolean {
  if (status === undefined || passing.has(code)) return true;
  return status === 429 || (status >= 500 && status !== 501);
}

/** Whether the try ended because the store was silent. */
export function isTimeout({ status, code }: Refusal): boolean {
  return status === undefined && /TIMEOUT|ETIMEDOUT/.test(code);
}

export function failureOf(doing: string, refusal: Refusal): S3BlobsError {
  const { status, code } = refusal;
  const meaning = meanings[code];
  const said = [code, ...(status === undefined ? [] : [`status ${status}`])].join(', ');
  return new S3BlobsError(`${doing}: ${meaning === undefined ? said : `${meaning} (${said})`}`, {
    code,
    ...(status === undefined ? { cause: refusal.cause } : { status }),
  });
}

/** The code in the body of an error, where there is one. */
export function codeIn(body: string, status: number): string {
  return /<Code>([A-Za-z.]{1,64})<\/Code>/.exec(body)?.[1] ?? `HTTP${status}`;
}
