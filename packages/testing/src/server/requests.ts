/** A request that the server got. */
export interface TestRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Names in lower case. Keys and cookies read `[redacted]`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON; a text where it is none; undefined for forms and where there was none. */
  readonly body: unknown;
  /** Undefined until it is answered. */
  readonly status: number | undefined;
}

export type HeaderSource = Readonly<Record<string, string | readonly string[] | undefined>>;

const secret = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key', 'api-key']);
export const redacted = '[redacted]';

export function redactedHeaders(headers: HeaderSource): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (secret.has(name.toLowerCase())) return [[name, redacted]];
      return [[name, typeof value === 'string' ? value : value.join(', ')]];
    }),
  );
}

/** What is known of a request, and of its answer as it comes. Plain data: what it came through must not be kept with it. */
export interface Noted {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: HeaderSource | Headers;
  text: string | undefined;
  status: number | undefined;
}

/** Worked out when it is looked at: most are not. (A class: one is made for every request.) */
class RecordedRequest implements TestRequest {
  readonly #noted: Noted;
  #body: { readonly value: unknown } | undefined;

  constructor(noted: Noted) {
    this.#noted = noted;
  }
  get method(): string {
    return this.#noted.method;
  }
  get path(): string {
    return this.#noted.url.split('?', 1)[0] ?? '';
  }
  get query(): Readonly<Record<string, string>> {
    const { url } = this.#noted;
    const mark = url.indexOf('?');
    return mark === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(mark + 1)));
  }
  get headers(): Readonly<Record<string, string>> {
    const { headers } = this.#noted;
    return redactedHeaders(headers instanceof Headers ? Object.fromEntries(headers) : headers);
  }
  get body(): unknown {
    const { text } = this.#noted;
    if (text === undefined) return undefined;
    return (this.#body ??= { value: parsed(text) }).value;
  }
  get status(): number | undefined {
    return this.#noted.status;
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

/** The last so many requests, in their order. */
export interface RequestRecord {
  add(noted: Noted): void;
  readonly list: () => readonly TestRequest[];
  clear(): void;
}

export function requestRecord(keep: number): RequestRecord {
  let kept: TestRequest[] = [];
  return {
    add(noted) {
      kept.push(new RecordedRequest(noted));
      // Now and then, so that it costs nothing.
      if (kept.length >= 2 * keep) kept = kept.slice(-keep);
    },
    list: () => kept.slice(-keep),
    clear() {
      kept = [];
    },
  };
}
