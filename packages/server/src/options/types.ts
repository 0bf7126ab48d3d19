import type { KeyRole, Person } from '@modelwire/ports';

/** How a moderation model judges chat requests and replies. */
export interface ChatModeration {
  /**
   * `input`: the text of the messages of every role (system, developer, user, assistant, tool, function), and images if the moderation model
   * supports them. `output`: all text of replies; speech by its transcript. Not judged: `input_audio` parts, files that the chat model takes as
   * they are, and the descriptions of tools and schemas.
   */
  readonly of: 'input' | 'output' | 'both';
  /**
   * `refuse`: flagged input is a 400 with the code `content_filter`. Otherwise it is served, and the header `x-modelwire-flagged` and the
   * log name the categories. Default `refuse`.
   */
  readonly flaggedInput?: 'refuse' | 'flag';
  /** Default: the first moderation model. */
  readonly model?: string;
}

/** Which web pages of other origins may call this server. */
export interface CorsOptions {
  /** Exact origins such as `https://app.example.com`, or `*` for every page. */
  readonly origins: readonly string[];
}

/** Times of idempotency keys, in milliseconds. */
export interface IdempotencyTimes {
  /** How long a response is stored. */
  readonly retentionMs: number;
  /** How long a claim lasts that is not renewed, because its server crashed. */
  readonly claimTtlMs: number;
}

/** How long streams of chat completions live that clients can resume. */
export interface ResumableStreamOptions {
  /** Milliseconds that a stream is generated without a reader before it is stopped. */
  readonly maxDetachedMs: number;
  /** Tokens that a stream may generate without a reader before it is stopped. Default: unlimited. */
  readonly maxDetachedTokens?: number | undefined;
  /** Milliseconds for which a stream can be read after its end. */
  readonly keepMs: number;
  /** Whether a stream whose server died is continued by another one, if its engine continues texts (`assistant_prefill`). */
  readonly continueLost: boolean;
}

/** A batch whose lines wait for a budget, or run again. */
export interface BatchPause {
  readonly batch: string;
  readonly project: string;
  /** ID of the budget. */
  readonly budget: string;
  /** Unix time, in seconds, at which the budget resets. It may be raised earlier. */
  readonly resetsAt: number;
  /** False when the lines run again. */
  readonly isPaused: boolean;
}

/** Removes from datasets what they must not contain. */
export interface Redaction {
  /** Returns each line, redacted and in its place. A line is JSON, a stored completion as a line of the format `evaluation`; its ID stays. */
  redact(lines: AsyncIterable<string>, init: { readonly signal: AbortSignal }): AsyncIterable<string>;
}

/** Downloads an image. @throws a RequestError, or an Error whose message may be shown. */
export type FetchImage = (
  url: string,
  init: {
    readonly signal: AbortSignal;
    readonly maxBytes: number;
    /** Reserves memory: call it with the size of each chunk before keeping it. @throws a 503 when there is none. */
    readonly reserve?: (bytes: number) => void;
  },
) => Promise<Uint8Array>;

/** Sends deliveries of webhooks. `webhookSender` of `@modelwire/server/webhooks` is one for Node. */
export interface WebhookSender {
  /** Why requests to the URL would be refused; undefined if no reason is known without resolving its host. */
  refusal(url: URL): string | undefined;
  /** Sends a POST request. Resolves to the status of the reply. @throws an Error whose message may be shown to administrators. */
  send(request: WebhookRequest): Promise<number>;
}

export interface WebhookRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

/** How webhooks are delivered. */
export interface WebhookOptions {
  readonly sender: WebhookSender;
  /**
   * Milliseconds between the attempts of a delivery; after one more attempt it fails. Each delay varies at random by a fifth. Default: 5 s,
   * 30 s, 2 min, 10 min, 30 min, 1 h, 3 h, 6 h and 12 h.
   */
  readonly retryDelaysMs?: readonly number[] | undefined;
}

/** The text of a PDF. @throws a RequestError that says what is wrong with the file, without naming its path in the request. */
export type ReadPdf = (bytes: Uint8Array, init: { readonly signal: AbortSignal }) => Promise<string>;

/** A file of the console. */
export interface ConsoleFile {
  /** Media type. */
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Identifies this content, without quotes. */
  readonly etag: string;
  /** The content compressed with gzip, if that is smaller. */
  readonly gzip?: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** The files of the console, by their path below `/console/`, such as `index.html`. Without `index.html` a page says how to install it. */
export type ConsoleFiles = ReadonlyMap<string, ConsoleFile>;

/** Identifies people who sign in to the console without a key, such as by OpenID Connect. */
export interface IdentityProvider {
  /** Shown on the button of the sign-in page. */
  readonly name: string;
  /** The URL at which browsers reach the root of this server, ending in a slash. Never taken from a request. */
  readonly publicUrl: URL;
  /** Seconds after which a person has to sign in again: until then, nothing that changes at the provider has an effect. */
  readonly sessionSeconds: number;
  /** Starts a sign-in. @throws a RequestError if the provider is unavailable. */
  start(init: SignInInit): Promise<StartedSignIn>;
  /**
   * Identifies the person by the URL with which the provider sent the browser back.
   *
   * @throws a RequestError that says why the person cannot sign in.
   */
  identify(callback: URL, checks: SignInChecks): Promise<Person>;
  /** The rights of a person; undefined for none, and for a person of another `source`. Called for each request of a session. */
  accessOf(person: Person): { readonly role: KeyRole; readonly project: string } | undefined;
  /** The page at which the session at the provider ends, and which then leads back to `returnUrl`. Undefined if the provider has none. */
  signOutUrl(returnUrl: URL): Promise<URL | undefined>;
}

export interface SignInInit {
  /** The URL that the provider sends the browser back to. */
  readonly redirectUri: URL;
  /** Whether the person has to authenticate, also with a session at the provider: to use another account. */
  readonly mustAuthenticate: boolean;
}

/** What the provider must send back. A cookie keeps it in the browser during the sign-in. */
export type SignInChecks = Readonly<Record<string, string>>;

export interface StartedSignIn {
  /** The page of the provider. */
  readonly url: URL;
  readonly checks: SignInChecks;
}

/** Additional information for the status page of the console. */
export interface ConsoleStatus {
  /** Requests that have not ended, in all processes of the server. Default: those of this process. */
  readonly in_flight?: number;
  /** The queues of the engines, for all processes of the server. Default: those of this process. */
  readonly engines?: readonly EngineStats[];
  readonly upstreams: readonly ConsoleUpstream[];
  readonly storage: readonly ConsoleStorage[];
}

/** The slots of an engine. */
export interface EngineStats {
  readonly name: string;
  /** Requests that it works on. */
  readonly active: number;
  /** Requests that wait for a slot. */
  readonly waiting: number;
  /** Maximum of `active`. */
  readonly concurrency: number;
}

/** An upstream and the circuit breakers of its models. */
export interface ConsoleUpstream {
  readonly name: string;
  readonly url: string;
  /** `unknown` until the first check. */
  readonly status: 'available' | 'unknown' | 'unreachable' | 'authentication_failed' | 'failing';
  /** Duration of the last successful check, in milliseconds; null before. */
  readonly latency_ms: number | null;
  /** Cached tokens of prompts in parts of all of them, from 0 to 1; null if that is not known. */
  readonly cache_hit_rate: number | null;
  /** The last error, also if the upstream is available again. */
  readonly last_error: {
    readonly message: string;
    /** When the checks began to fail, in Unix seconds. */
    readonly since: number;
    /** When a check failed last, in Unix seconds. */
    readonly at: number;
  } | null;
  readonly circuits: readonly {
    readonly model: string;
    readonly state: 'closed' | 'open' | 'half-open';
    readonly retry_after_ms: number;
    readonly last_failure: string | null;
  }[];
}

/** A database or a storage of file contents. */
export interface ConsoleStorage {
  readonly name: 'database' | 'files';
  /** Such as `SQLite` or `S3`. */
  readonly kind: string;
  /** What is wrong; null if it is writable. */
  readonly problem: string | null;
  /** Size, where it is known. */
  readonly bytes: number | null;
}
