import type { SqlStoresOptions } from '@modelwire/store-sql';

/** Limits for keys and projects without their own. Default: unlimited. */
export interface RateLimits {
  readonly requestsPerMinute?: number | undefined;
  /** Prompt and completion tokens. */
  readonly tokensPerMinute?: number | undefined;
}

export interface PostgresStoresOptions extends SqlStoresOptions {
  /** `postgres://user:password@host:port/database`, with the parameters of PostgreSQL, such as `?sslmode=verify-full`. */
  readonly url: string;
  /** Maximum number of connections. Default 10. */
  readonly poolSize?: number | undefined;
  /** Schema of the tables; created if missing. Lower case letters, digits and `_`. Default `modelwire`. */
  readonly schema?: string | undefined;
  /**
   * Milliseconds after which an operation fails, including the wait for a connection; PostgreSQL cancels a statement after 80 %
   * of it. Default 10000.
   */
  readonly operationTimeoutMs?: number | undefined;
  /** Milliseconds to wait for a connection, including for a free one of the pool. Default 5000. */
  readonly connectTimeoutMs?: number | undefined;
  /** For keys and projects without their own. Default: unlimited. */
  readonly rateLimits?: RateLimits | undefined;
}

export type ResolvedOptions = {
  readonly [Name in keyof Omit<PostgresStoresOptions, keyof SqlStoresOptions>]-?: NonNullable<
    PostgresStoresOptions[Name]
  >;
};

export function resolveOptions({
  url,
  poolSize = 10,
  schema = 'modelwire',
  operationTimeoutMs = 10_000,
  connectTimeoutMs = 5000,
  rateLimits = {},
}: PostgresStoresOptions): ResolvedOptions {
  // Messages never contain the URL: it includes the password.
  if (/^postgres(ql)?:\/\/([^/]*@)?[^/?@]*,[^/?@]*([/?]|$)/.test(url)) {
    throw new TypeError('url must have one host: use an address that leads to the primary');
  }
  if (!/^postgres(ql)?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new TypeError('url must be a postgres:// URL');
  }
  if (!/^(?!pg_)[a-z_][a-z\d_]{0,62}$/.test(schema)) {
    throw new TypeError(
      'schema must consist of lower case letters, digits and _, and must not start with a digit or pg_',
    );
  }
  for (const [name, value] of Object.entries({ poolSize, operationTimeoutMs, connectTimeoutMs })) {
    if (!Number.isInteger(value) || value < 1) throw new TypeError(`${name} must be an integer of at least 1`);
  }
  for (const [name, value] of Object.entries(rateLimits)) {
    if (value !== undefined && !(value >= 1)) throw new TypeError(`rateLimits.${name} must be a number of at least 1`);
  }
  return { url, poolSize, schema, operationTimeoutMs, connectTimeoutMs, rateLimits };
}
