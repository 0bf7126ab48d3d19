/** The store of bytes did not do what was asked for, or could not be reached. */
export class S3BlobsError extends Error {
  override readonly name = 'S3BlobsError';
  /** That of the store (`AccessDenied`, `NoSuchBucket`, `SlowDown`, …) or of the connection (`ECONNREFUSED`, …). */
  readonly code: string;
  /** Of the answer; undefined when there was none. */
  readonly status: number | undefined;
  readonly noSpace: boolean;

  constructor(
    message: string,
    { code, status, cause }: { readonly code: string; readonly status?: number; readonly cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.noSpace = status === 507 || code === 'QuotaExceeded' || code === 'XMinioStorageFull';
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
