import type { UsedTier } from './engine-queue.ts';
import type { Authenticator } from './ports/authenticator.ts';
import type { ChatEngine } from './ports/chat-engine.ts';
import type { RateLimiter } from './ports/rate-limiter.ts';
import type { Stores } from './ports/stores.ts';
import type { IdempotencyTimes } from './request/idempotency.ts';
import type { RequestLog } from './ports/request-log.ts';
import { openToAll, staticKeys } from './static-keys.ts';

export interface ServerOptions {
  /** What serves chat models. Where two have a model of the same id, the first serves it. */
  readonly engines: readonly ChatEngine[];
  /** The keys that may call; your own `Authenticator`; or `'open'` to ask for none, behind something that guards already. */
  readonly keys: readonly string[] | Authenticator | 'open';
  /** Default: no limits. `memoryRateLimiter()` is one. */
  readonly rateLimiter?: RateLimiter;
  /** Where stored completions, idempotency keys and usage are kept. Default: nowhere; `store: true` is then refused. */
  readonly stores?: Stores;
  /** Days after which stored completions are removed. Default: they are kept. */
  readonly retentionDays?: number;
  /** Milliseconds an idempotency key's answer is kept, and a request with one may take. Default a day, and 15 minutes. */
  readonly idempotency?: IdempotencyTimes;
  /** Requests an engine works on at once, unless the engine says. Default 256. */
  readonly concurrency?: number;
  /** Requests that may wait for an engine; further ones get a 503. Default 1024. */
  readonly queueLength?: number;
  /** Milliseconds a request may wait for an engine before it gets a 503. Default 60,000. */
  readonly queueWaitMs?: number;
  /** What `service_tier: 'auto'` means here. Default `default`. */
  readonly defaultTier?: UsedTier;
  /** Bytes of a JSON body; longer ones get a 413. Default 32 MiB. */
  readonly maxBodyBytes?: number;
  /** What all bodies that are worked on or wait may hold together, in characters; past that, a 503. Default 256 Mi. */
  readonly maxBufferedBytes?: number;
  /** Milliseconds a reader of a stream may take nothing before it is let go. Default 120,000. */
  readonly slowReaderMs?: number;
  /** What happens to fields the interface does not know: a 400 that names them, or kept and passed to engines. Default `refuse`. */
  readonly unknownFields?: 'refuse' | 'keep';
  /** Told of what went wrong where no caller waits: writing usage, removing what is old. */
  readonly report?: (what: string, error: unknown) => void;
  /** Called once for each request when it is over. Never given keys or what was said. */
  readonly log?: RequestLog;
  /** Serves `/docs` from these files (see `@modelwire/server/docs`). Default: no page, only `/openapi.json`. */
  readonly docs?: DocsAssets;
  /** Shown as version in the OpenAPI document. Default `1`. */
  readonly version?: string;
}

/** Files of the reference page: what each path under `/docs` answers. */
export type DocsAssets = Readonly<Record<string, { readonly type: string; readonly body: string }>>;

/** Options in full: nothing deeper reads a default. */
export interface KitOptions extends Required<
  Omit<ServerOptions, 'keys' | 'rateLimiter' | 'log' | 'docs' | 'stores' | 'retentionDays'>
> {
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter | undefined;
  readonly stores: Stores | undefined;
  readonly retentionDays: number | undefined;
  readonly log: RequestLog | undefined;
  readonly docs: DocsAssets | undefined;
}

export function resolveOptions(given: ServerOptions): KitOptions {
  return Object.freeze({
    engines: given.engines,
    authenticator: authenticatorOf(given.keys),
    rateLimiter: given.rateLimiter,
    stores: given.stores,
    retentionDays: given.retentionDays === undefined ? undefined : positive('retentionDays', given.retentionDays),
    idempotency: given.idempotency ?? { keepMs: 86_400_000, claimMs: 900_000 },
    report: given.report ?? (() => undefined),
    concurrency: positive('concurrency', given.concurrency ?? 256),
    queueLength: atLeastZero('queueLength', given.queueLength ?? 1024),
    queueWaitMs: positive('queueWaitMs', given.queueWaitMs ?? 60_000),
    defaultTier: given.defaultTier ?? 'default',
    maxBodyBytes: positive('maxBodyBytes', given.maxBodyBytes ?? 32 * 1024 * 1024),
    maxBufferedBytes: positive('maxBufferedBytes', given.maxBufferedBytes ?? 256 * 1024 * 1024),
    slowReaderMs: positive('slowReaderMs', given.slowReaderMs ?? 120_000),
    unknownFields: given.unknownFields ?? 'refuse',
    log: given.log,
    docs: given.docs,
    version: given.version ?? '1',
  });
}

function authenticatorOf(keys: ServerOptions['keys']): Authenticator {
  if (keys === 'open') return openToAll();
  return 'authenticate' in keys ? keys : staticKeys(keys);
}

function positive(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new TypeError(`${name} must be a whole number of at least 1, not ${value}`);
  return value;
}

function atLeastZero(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new TypeError(`${name} must be a whole number of at least 0, not ${value}`);
  return value;
}
