/** Limits for those that have none of their own. Unset is unlimited. */
export interface RateLimits {
  readonly requestsPerMinute?: number | undefined;
  /** Prompt and completion tokens. */
  readonly tokensPerMinute?: number | undefined;
}

export interface PostgresStoresOptions {
  /** `postgres://user:password@host:port/database`, with what else PostgreSQL knows, such as `?sslmode=verify-full`. */
  readonly url: string;
  /** Connections at most. Default 10. */
  readonly poolSize?: number | undefined;
  /** Where the tables are; made when it is not there. Lower case letters, digits and `_`. Default `modelwire`. */
  readonly schema?: string | undefined;
  /**
   * Milliseconds after which an operation fails, with the wait for a connection; PostgreSQL cancels a statement after 80 % of it.
   * Default 10000.
   */
  readonly operationTimeoutMs?: number | undefined;
  /** Milliseconds to wait for a connection, also for one of the pool to become free. Default 5000. */
  readonly connectTimeoutMs?: number | undefined;
  /** For keys and projects that have none of their own. Unlimited unless set. */
  readonly rateLimits?: RateLimits | undefined;
}

export type ResolvedOptions = {
  readonly [Name in keyof PostgresStoresOptions]-?: NonNullable<PostgresStoresOptions[Name]>;
};

export function resolveOptions({
  url,
  poolSize = 10,
  schema = 'modelwire',
  operationTimeoutMs = 10_000,
  connectTimeoutMs = 5000,
  rateLimits = {},
}: PostgresStoresOptions): ResolvedOptions {
  // Never the url itself in a message: it has the password.
  if (!/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new TypeError('url must be a postgres:// URL');
  }
  if (!/^(?!pg_)[a-z_][a-z\d_]{0,62}$/.test(schema)) {
    throw new TypeError('schema must be of lower case letters, digits and _, and not begin with a digit or pg_');
  }
  for (const [name, value] of Object.entries({ poolSize, operationTimeoutMs, connectTimeoutMs })) {
    if (!Number.isInteger(value) || value < 1) throw new TypeError(`${name} must be an integer of at least 1`);
  }
  for (const [name, value] of Object.entries(rateLimits)) {
    if (value !== undefined && !(value >= 1)) throw new TypeError(`rateLimits.${name} must be a number of at least 1`);
  }
  return { url, poolSize, schema, operationTimeoutMs, connectTimeoutMs, rateLimits };
}
