export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** Called for each request; it renews temporary credentials. */
export type S3CredentialsProvider = () => Promise<S3Credentials>;

/** How contents are transferred. */
interface TransferOptions {
  /** Part size of multipart uploads in bytes, and the largest single upload. At least 5 MiB, default 8 MiB. An upload has at most 10,000 parts. */
  readonly partBytes?: number | undefined;
  /** Maximum number of concurrent part uploads, of all writes together. Default 4. */
  readonly partsInFlight?: number | undefined;
  /** Maximum attempts of a request when the connection fails or the server returns 5xx or 429. Default 5. */
  readonly attempts?: number | undefined;
  /**
   * Milliseconds without a response, or without progress of its body, after which an operation fails, including its retries. An idle
   * timeout, not a limit of the whole transfer. One attempt takes at most a third of it. Default 30,000.
   */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds after which an incomplete multipart upload is considered abandoned and is removed. Default 24 hours. */
  readonly abandonedAfterMs?: number | undefined;
}

export interface S3BlobsOptions extends Partial<S3Credentials>, TransferOptions {
  /**
   * Instead of `accessKeyId` and `secretAccessKey`. Default without these: what the AWS SDK finds in the environment, shared profiles, SSO, a web
   * identity, the container or the instance, for which `@aws-sdk/credential-providers` has to be installed.
   */
  readonly credentials?: S3CredentialsProvider | undefined;
  /** URL of the service without the bucket, such as `http://127.0.0.1:9000`. Default: AWS in `region`. */
  readonly endpoint?: string | undefined;
  /** Default `us-east-1`, which servers without regions accept. */
  readonly region?: string | undefined;
  /** Must exist. */
  readonly bucket: string;
  /** Prefix of all keys, such as `modelwire/`. Default none. */
  readonly prefix?: string | undefined;
  /** Puts the bucket in the path instead of the host name. Default true, except for AWS. */
  readonly forcePathStyle?: boolean | undefined;
}

type Defined<Options> = { readonly [Name in keyof Options]: NonNullable<Options[Name]> };

export interface S3Settings extends Required<Defined<TransferOptions>> {
  /** URL of the bucket, with a trailing slash. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly credentials: S3CredentialsProvider;
  readonly prefix: string;
}

const mib = 1024 * 1024;
const printable = /^[\x21-\x7e]+$/;
const printableRule = 'must be printable ASCII characters without spaces';
const bucketRule =
  'must be the name of a bucket: 3 to 63 letters, digits, dots and hyphens, which begins and ends with a letter or digit';
const prefixRule =
  'must be letters, digits and _ - . in parts that are separated by slashes, and not begin with a slash';

/** @throws {TypeError} naming the invalid option, never its value. */
export function resolveOptions(options: S3BlobsOptions): S3Settings {
  const { region = 'us-east-1', bucket, prefix = '' } = options;
  requireText('region', region, /^[a-z0-9-]+$/i, 'must be letters, digits and hyphens');
  requireText('bucket', bucket, /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/i, bucketRule);
  // No characters that servers or URLs interpret.
  requireText('prefix', prefix, /^(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*)?$/, prefixRule);
  const { partBytes = 8 * mib, partsInFlight = 4, attempts = 5, timeoutMs = 30_000 } = options;
  const { abandonedAfterMs = 24 * 3_600_000 } = options;
  requireInteger('partBytes', partBytes, 5 * mib, 1024 * mib);
  requireInteger('partsInFlight', partsInFlight, 1, 1000);
  requireInteger('attempts', attempts, 1, 100);
  requireInteger('timeoutMs', timeoutMs, 1, 3_600_000);
  requireInteger('abandonedAfterMs', abandonedAfterMs, 0, Number.MAX_SAFE_INTEGER);
  const credentials = options.credentials ?? staticCredentials(options);
  const sizes = { partBytes, partsInFlight, attempts, timeoutMs, abandonedAfterMs };
  return Object.freeze({ bucketUrl: resolveBucketUrl(options, region), region, credentials, prefix, ...sizes });
}

function staticCredentials({
  accessKeyId,
  secretAccessKey,
  sessionToken,
}: Partial<S3Credentials>): S3CredentialsProvider {
  requireText('accessKeyId', accessKeyId, printable, printableRule);
  requireText('secretAccessKey', secretAccessKey, printable, printableRule);
  if (sessionToken !== undefined) requireText('sessionToken', sessionToken, printable, printableRule);
  const credentials = { accessKeyId, secretAccessKey, sessionToken };
  return async () => credentials;
}

function resolveBucketUrl({ endpoint, bucket, forcePathStyle }: S3BlobsOptions, region: string): string {
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

function requireText(name: string, value: string | undefined, pattern: RegExp, rule: string): asserts value is string {
  if (typeof value !== 'string' || !pattern.test(value)) throw new TypeError(`${name} is invalid: it ${rule}`);
}

function requireInteger(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw new TypeError(`${name} must be an integer from ${least} to ${most}`);
}
