import type { CreatedObject } from './context/cleanup.ts';
import type { ExpectedFailures } from './expected-failures.ts';
import type { CheckResult } from './report.ts';
import { OLDEST_SPEC } from './requirements/spec-dates.ts';

export interface ConformanceModels {
  /** Default: the first of `GET /models` that responds to a chat. */
  readonly chat?: string | undefined;
  /** Default: the first of `GET /models` with `embed` in its ID. */
  readonly embedding?: string | undefined;
  /** Default: the server's. */
  readonly moderation?: string | undefined;
  /** Default: the server's, or else one of `GET /models` that creates a video. */
  readonly video?: string | undefined;
}

/** The progress of a run. */
export interface ConformanceProgress {
  /** Checks with a result. */
  readonly done: number;
  readonly total: number;
  /** Checks whose results were taken over from earlier reports. */
  readonly earlier: number;
  /** Checks that failed or have no result, and were not expected to. */
  readonly failed: number;
  /** IDs of the checks that run now. */
  readonly running: readonly string[];
}

export interface ConformanceOptions {
  /** With the version prefix, such as `http://127.0.0.1:8787/v1`. */
  readonly baseURL: string;
  /** Sent as bearer token and never shown. Without a key none is sent, and checks of keys are skipped. */
  readonly apiKey?: string | undefined;
  /** Endpoints or prefixes of check IDs: `chat`, `uploads`, `chat.completions.create/stream`. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Endpoints or prefixes of check IDs to leave out. */
  readonly except?: readonly string[] | undefined;
  /** Checks that the server is known to fail, as `parseExpectedFailures` reads them: the report lists what differs. */
  readonly expectedFailures?: ExpectedFailures | undefined;
  /** A month such as `2025-06`: runs only checks of what the specification of that month has. Default `latest`. */
  readonly spec?: string | undefined;
  /** Runs only the checks that matter most, within a minute: see the README. Default false. */
  readonly quick?: boolean | undefined;
  /** A part of the checks: `2/4` is the second of four. */
  readonly shard?: string | undefined;
  /** Reports of earlier runs, as JSON values: only checks without a result in them run, and the report has the results of all. */
  readonly resume?: readonly unknown[] | undefined;
  /** The word that marks what the run creates: with the same, requests are repeated exactly. Default: a random word. */
  readonly seed?: string | undefined;
  /** Includes checks that load a server: bodies above its limits, and a burst of requests. Default false. */
  readonly destructive?: boolean | undefined;
  readonly models?: ConformanceModels | undefined;
  /** Sent with every request, for gateways that need more than a key. Their values are never shown. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Aborts the run: checks without a result are skipped. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each result. An error that it throws ends the run, which cleans up and rejects with it. */
  readonly onResult?: ((result: CheckResult) => void) | undefined;
  /** Called when a check starts and when it has a result; errors are treated likewise. */
  readonly onProgress?: ((progress: ConformanceProgress) => void) | undefined;
  /**
   * Called with each object that the run creates on the server. A program that may be killed writes them down, and gives them to its next run
   * as `leftovers`. It must not throw.
   */
  readonly onCreated?: ((object: CreatedObject) => void) | undefined;
  /** What a killed run has created, as `onCreated` was called with it: removed after what this run creates. */
  readonly leftovers?: readonly CreatedObject[] | undefined;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Concurrent checks. Default 4. */
  readonly concurrency?: number | undefined;
  /** Milliseconds for a request and its complete response. Default 30,000. */
  readonly requestTimeoutMs?: number | undefined;
  /** Milliseconds for one check, without waiting for jobs. Default 60,000. */
  readonly checkTimeoutMs?: number | undefined;
  /** Milliseconds to wait for one batch or video. Default 120,000. */
  readonly jobTimeoutMs?: number | undefined;
  /** Milliseconds for all checks. Default 15 minutes; with `quick`, 50 seconds. The cleanup follows. */
  readonly budgetMs?: number | undefined;
}

type Resolved<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };

/** One of so many parts of the checks, counted from 1. */
interface Shard {
  readonly index: number;
  readonly count: number;
}

/** The options with all defaults. */
export interface Settings extends Resolved<Omit<ConformanceOptions, 'apiKey' | 'shard'>> {
  readonly apiKey: string | undefined;
  readonly shard: Shard;
}

export function resolveOptions(options: ConformanceOptions): Settings {
  return Object.freeze({
    baseURL: normalizeBaseURL(options.baseURL),
    apiKey: options.apiKey === '' ? undefined : options.apiKey,
    only: options.only ?? [],
    except: options.except ?? [],
    expectedFailures: options.expectedFailures ?? new Map<string, string>(),
    spec: specMonth(options.spec ?? 'latest'),
    quick: options.quick ?? false,
    shard: parseShard(options.shard ?? '1/1'),
    resume: options.resume ?? [],
    seed: seedWord(options.seed ?? crypto.randomUUID().replaceAll('-', '').slice(0, 16)),
    destructive: options.destructive ?? false,
    models: options.models ?? {},
    headers: options.headers ?? {},
    signal: options.signal ?? new AbortController().signal,
    onResult: options.onResult ?? (() => undefined),
    onProgress: options.onProgress ?? (() => undefined),
    onCreated: options.onCreated ?? (() => undefined),
    leftovers: options.leftovers ?? [],
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    concurrency: positiveInteger('concurrency', options.concurrency ?? 4),
    requestTimeoutMs: positiveInteger('requestTimeoutMs', options.requestTimeoutMs ?? 30_000),
    checkTimeoutMs: positiveInteger('checkTimeoutMs', options.checkTimeoutMs ?? 60_000),
    jobTimeoutMs: positiveInteger('jobTimeoutMs', options.jobTimeoutMs ?? 120_000),
    budgetMs: positiveInteger('budgetMs', options.budgetMs ?? (options.quick ? 50_000 : 900_000)),
  });
}

function normalizeBaseURL(baseURL: string): string {
  const url = URL.parse(baseURL);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new TypeError(`baseURL: expected an http or https URL such as http://127.0.0.1:8787/v1`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('baseURL: it contains a user name or a password; use apiKey instead');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function specMonth(spec: string): string {
  if (spec !== 'latest' && !(/^\d{4}-(?:0[1-9]|1[0-2])$/.test(spec) && spec >= OLDEST_SPEC)) {
    throw new TypeError(`spec: expected latest, or a month from ${OLDEST_SPEC} on`);
  }
  return spec;
}

function parseShard(shard: string): Shard {
  const [index = 0, count = 0] = /^\d+\/\d+$/.test(shard) ? shard.split('/').map(Number) : [];
  if (index < 1 || index > count) throw new TypeError('shard: expected a part and the number of parts, such as 2/4');
  return { index, count };
}

function seedWord(seed: string): string {
  if (!/^\w{1,32}$/.test(seed)) throw new TypeError('seed: expected 1 to 32 letters, digits and underscores');
  return seed;
}

function positiveInteger(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`${name}: expected an integer of 1 or more`);
  // The maximum delay of timers: a larger one fires immediately.
  return Math.min(value, 2 ** 31 - 1);
}
