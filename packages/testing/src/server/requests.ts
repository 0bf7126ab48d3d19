/** A request that the server received. */
export interface TestRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. Keys and cookies read `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, or a text that is not JSON; undefined for forms and without a body. */
  readonly body: unknown;
  /** Undefined until there is a response. */
  readonly status: number | undefined;
}

type HeaderSource = Readonly<Record<string, string | readonly string[] | undefined>>;

const secret = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'api-key']);
export const redacted = '[redacted]';

function redactedHeaders(headers: HeaderSource): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (secret.has(name.toLowerCase())) return [[name, redacted]];
      return [[name, typeof value === 'string' ? value : value.join(', ')]];
    }),
  );
}

/** A recorded request and the status of its response. Plain data, so that sockets and streams are not retained. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: HeaderSource | Headers;
  text: string | undefined;
  status: number | undefined;
}

/** Parsed on access, since most requests are never inspected. A class, since there is one for every request. */
class LazyTestRequest implements TestRequest {
  readonly #recorded: RecordedRequest;
  #body: { readonly value: unknown } | undefined;

  constructor(recorded: RecordedRequest) {
    this.#recorded = recorded;
  }
  get method(): string {
    return this.#recorded.method;
  }
  get path(): string {
    return this.#recorded.url.split('?', 1)[0] ?? '';
  }
  get query(): Readonly<Record<string, string>> {
    const { url } = this.#recorded;
    const queryStart = url.indexOf('?');
    return queryStart === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(queryStart + 1)));
  }
  get headers(): Readonly<Record<string, string>> {
    const { headers } = this.#recorded;
    return redactedHeaders(headers instanceof Headers ? Object.fromEntries(headers) : headers);
  }
  get body(): unknown {
    const { text } = this.#recorded;
    if (text === undefined) return undefined;
    return (this.#body ??= { value: parsed(text) }).value;
  }
  get status(): number | undefined {
    return this.#recorded.status;
  }
  toJSON(): TestRequest {
    const { method, path, query, headers, body, status } = this;
    return { method, path, query, headers, body, status };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}

/** The last requests, in order. */
export interface RequestLog {
  add(recorded: RecordedRequest): void;
  readonly list: () => readonly TestRequest[];
  clear(): void;
}

export function createRequestLog(keep: number): RequestLog {
  let requests: TestRequest[] = [];
  return {
    add(recorded) {
      requests.push(new LazyTestRequest(recorded));
      // Not at each request, so that the amortized cost is constant.
      if (requests.length >= 2 * keep) requests = requests.slice(-keep);
    },
    list: () => requests.slice(-keep),
    clear() {
      requests = [];
    },
  };
}
