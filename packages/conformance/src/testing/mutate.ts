/** A request as received by the broken server. */
export interface ProxiedRequest {
  readonly method: string;
  /** Relative to the base URL. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Undefined if it was not JSON. */
  readonly body: unknown;
}

export interface ProxiedResponse {
  readonly asked: ProxiedRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A fault: in the requests as received, or in the responses. */
export interface Mutation {
  readonly hear?: (asked: ProxiedRequest) => Partial<Pick<ProxiedRequest, 'query' | 'body'>> | undefined;
  readonly say?: (
    answered: ProxiedResponse,
  ) => Partial<Pick<ProxiedResponse, 'status' | 'text' | 'headers'>> | undefined;
}

/** Wraps the `fetch` of a correct server so that it shows a fault. */
export function mutated(fetch: typeof globalThis.fetch, { hear, say }: Mutation): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(new Request(input).url);
    const asked: ProxiedRequest = {
      method: init?.method ?? 'GET',
      path: url.pathname.replace(/^\/v1/, ''),
      query: url.searchParams,
      body: typeof init?.body === 'string' ? jsonOf(init.body) : undefined,
    };
    const heard = hear?.(asked);
    if (heard?.query) url.search = heard.query.toString();
    const body = heard && 'body' in heard ? JSON.stringify(heard.body) : init?.body;
    const response = await fetch(url, { ...init, ...(body !== undefined && { body }) });
    const { status, headers } = response;
    const bytes = await response.bytes();
    // Latin-1 preserves binary data.
    const binary = /^(?:video|image)\//.test(headers.get('content-type') ?? '');
    const text = new TextDecoder(binary ? 'latin1' : 'utf-8').decode(bytes);
    const said = { asked, status, headers: new Headers(headers), text, ...say?.({ asked, status, headers, text }) };
    said.headers.delete('content-length');
    const content = binary ? Uint8Array.from(said.text, (one) => one.charCodeAt(0)) : said.text;
    return new Response(content, { status: said.status, headers: said.headers });
  };
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function withoutHeaders(headers: Headers, ...names: readonly string[]): Headers {
  const rest = new Headers(headers);
  for (const name of names) rest.delete(name);
  return rest;
}

export function withHeader(headers: Headers, name: string, value: string): Headers {
  const more = new Headers(headers);
  more.set(name, value);
  return more;
}

export type Change = (key: string, value: unknown) => unknown;

/** Changes every value of JSON or of the events of a stream. Other text stays. */
export function mapJson(text: string, change: Change): string {
  if (/^(?:data|event): /.test(text))
    return text.replace(/^data: (\{.*)$/gm, (_, json: string) => `data: ${mapJson(json, change)}`);
  const value = jsonOf(text);
  return value === undefined ? text : JSON.stringify(value, change);
}

/** Replaces every scalar by one of another type, except under these keys. */
export function otherTypes(text: string, kept: ReadonlySet<string>): string {
  return mapJson(text, (key, value) => {
    if (kept.has(key) || (typeof value === 'object' && value !== null)) return value;
    return typeof value === 'number' ? 'seven' : 7;
  });
}

/** Replaces every container by a string, except under these keys. */
export function replaceObjects(text: string, kept: ReadonlySet<string>): string {
  return mapJson(text, (key, value) =>
    key === '' || /^\d+$/.test(key) || kept.has(key) || typeof value !== 'object' || value === null ? value : 'a word',
  );
}
