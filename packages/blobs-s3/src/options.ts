export interface S3BlobsOptions {
  /** Of the service, without the bucket: `https://s3.eu-central-1.amazonaws.com`, `http://127.0.0.1:9000`. Default: Amazon's of the region. */
  readonly endpoint?: string | undefined;
  /** Default `us-east-1`, which servers without regions take. */
  readonly region?: string | undefined;
  /** It must be there. */
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** With temporary credentials. */
  readonly sessionToken?: string | undefined;
  /** Before each key, such as `modelwire/`. Default none. */
  readonly prefix?: string | undefined;
  /** Whether the bucket is in the path and not in the host name. Default true, but for Amazon's hosts. */
  readonly forcePathStyle?: boolean | undefined;
  /** Bytes of a part of what is sent in parts, and the most that is sent in one request. From 5 MiB, default 8 MiB; there are at most 10,000 parts. */
  readonly partBytes?: number | undefined;
  /** Parts on their way at once, of all writes together. Default 4. */
  readonly partsInFlight?: number | undefined;
  /** How often a request is tried when the connection fails or the store answers 5xx or 429. Default 5. */
  readonly attempts?: number | undefined;
  /**
   * Milliseconds without an answer, or between two pieces of one, after which an operation fails, however often it was tried: an idle
   * timeout, not a limit of the whole transfer. A try takes at most a third of it. Default 30,000.
   */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds after which an upload in parts that did not end is taken for one of a dead process, and removed. Default 24 hours. */
  readonly abandonedAfterMs?: number | undefined;
}

export interface S3Settings {
  /** Of the bucket, ends with a slash. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  readonly prefix: string;
  readonly partBytes: number;
  readonly partsInFlight: number;
  readonly attempts: number;
  readonly timeoutMs: number;
  readonly abandonedAfterMs: number;
}

const mib = 1024 * 1024;
const printable = /^[\x21-\x7e]+$/;

/** @throws {TypeError} naming the option that is wrong, never its value. */
export function settingsOf(options: S3BlobsOptions): S3Settings {
  const { region = 'us-east-1', bucket, accessKeyId, secretAccessKey, sessionToken, prefix = '' } = options;
  requireText('region', region, /^[a-z0-9-]+$/i);
  requireText('bucket', bucket, /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/i);
  requireText('accessKeyId', accessKeyId, printable);
  requireText('secretAccessKey', secretAccessKey, printable);
  if (sessionToken !== undefined) requireText('sessionToken', sessionToken, printable);
  // Nothing that a server or a URL would read as something else.
  requireText('prefix', prefix, /^(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*)?$/);
  const { partBytes = 8 * mib, partsInFlight = 4, attempts = 5, timeoutMs = 30_000 } = options;
  const { abandonedAfterMs = 24 * 3_600_000 } = options;
  requireWhole('partBytes', partBytes, 5 * mib, 1024 * mib);
  requireWhole('partsInFlight', partsInFlight, 1, 1000);
  requireWhole('attempts', attempts, 1, 100);
  requireWhole('timeoutMs', timeoutMs, 1, 3_600_000);
  requireWhole('abandonedAfterMs', abandonedAfterMs, 0, Number.MAX_SAFE_INTEGER);
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  const sizes = { partBytes, partsInFlight, attempts, timeoutMs, abandonedAfterMs };
  return Object.freeze({ bucketUrl: bucketUrlOf(options, region), region, credentials, prefix, ...sizes });
}

function bucketUrlOf({ endpoint, bucket, forcePathStyle }: S3BlobsOptions, region: string): string {
  const url = URL.parse(endpoint ?? `https://s3.${region}.amazonaws.com`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '' || url.search !== '') {
    throw new TypeError('endpoint must be an http or https URL without credentials and query');
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  const inPath = forcePathStyle ?? !/\.amazonaws\.com(?:\.cn)?$/.test(url.hostname);
  if (inPath) url.pathname += `${bucket}/`;
  else url.hostname = `${bucket}.${url.hostname}`;
  return url.href;
}

function requireText(name: string, value: string, pattern: RegExp): void {
  if (typeof value !== 'string' || !pattern.test(value)) throw new TypeError(`${name} is not valid`);
}

function requireWhole(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new TypeError(`${name} must be a whole number from ${least} to ${most}`);
}
