import type { CheckResult } from './report.ts';

export interface ConformanceModels {
  /** Default: the first of `GET /models` that answers a chat. */
  readonly chat?: string | undefined;
  /** Default: the first of `GET /models` with `embed` in its id. */
  readonly embedding?: string | undefined;
  /** Default: the server's. */
  readonly moderation?: string | undefined;
  /** Default: the server's, or else one of `GET /models` that makes a video. */
  readonly video?: string | undefined;
}

/** How far a run is. */
export interface ConformanceProgress {
  /** Checks that are decided. */
  readonly done: number;
  readonly total: number;
}

export interface ConformanceOptions {
  /** With the version prefix, such as `http://127.0.0.1:8787/v1`. */
  readonly baseURL: string;
  /** SentRequest as bearer token, and never shown. Without one, none is sent, and checks of keys are skipped. */
  readonly apiKey?: string | undefined;
  /** Endpoints, or beginnings of ids of checks: `chat`, `uploads`, `chat.completions.create/stream`. Default: everything. */
  readonly only?: readonly string[] | undefined;
  /** The same, to leave out. */
  readonly except?: readonly string[] | undefined;
  /** Also checks that load a server: bodies above its limits, and a burst of requests. Default false. */
  readonly destructive?: boolean | undefined;
  readonly models?: ConformanceModels | undefined;
  /** SentRequest with every request, for gateways that want more than a key. Their values are never shown. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Ends the run: what has not been decided is skipped. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each result as it is decided. What it throws ends the run, which cleans up and rejects with it. */
  readonly onResult?: ((result: CheckResult, progress: ConformanceProgress) => void) | undefined;
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Checks at once. Default 4. */
  readonly concurrency?: number | undefined;
  /** Milliseconds for one request and its whole answer. Default 30,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Milliseconds for one check, waiting for jobs not counted. Default 60,000. */
  readonly checkTimeoutMs?: number | undefined;
  /** Milliseconds to wait for one batch or video. Default 120,000. */
  readonly jobTimeoutMs?: number | undefined;
  /** Milliseconds for the whole run. Default 15 minutes. */
  readonly budgetMs?: number | undefined;
}

/** Options in full: nothing deeper reads a default. */
export interface Settings {
  readonly baseURL: string;
  readonly apiKey: string | undefined;
  readonly only: readonly string[];
  readonly except: readonly string[];
  readonly destructive: boolean;
  readonly models: ConformanceModels;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onResult: (result: CheckResult, progress: ConformanceProgress) => void;
  readonly fetch: typeof globalThis.fetch;
  readonly concurrency: number;
  readonly requestTimeoutMs: number;
  readonly checkTimeoutMs: number;
  readonly jobTimeoutMs: number;
  readonly budgetMs: number;
}

export function settingsOf(options: ConformanceOptions): Settings {
  return Object.freeze({
    baseURL: baseOf(options.baseURL),
    apiKey: options.apiKey === '' ? undefined : options.apiKey,
    only: options.only ?? [],
    except: options.except ?? [],
    destructive: options.destructive ?? false,
    models: options.models ?? {},
    headers: options.headers ?? {},
    signal: options.signal ?? new AbortController().signal,
    onResult: options.onResult ?? (() => undefined),
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    concurrency: atLeastOne('concurrency', options.concurrency ?? 4),
    requestTimeoutMs: atLeastOne('requestTimeoutMs', options.requestTimeoutMs ?? 30_000),
    checkTimeoutMs: atLeastOne('checkTimeoutMs', options.checkTimeoutMs ?? 60_000),
    jobTimeoutMs: atLeastOne('jobTimeoutMs', options.jobTimeoutMs ?? 120_000),
    budgetMs: atLeastOne('budgetMs', options.budgetMs ?? 900_000),
  });
}

function baseOf(given: string): string {
  const url = URL.parse(given);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new TypeError(`baseURL: expected an http or https URL such as http://127.0.0.1:8787/v1`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('baseURL: it holds a user name or a password; give apiKey instead');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function atLeastOne(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${name}: expected an integer of 1 or more`);
  // What timers take: beyond it they fire at once.
  return Math.min(value, 2 ** 31 - 1);
}
