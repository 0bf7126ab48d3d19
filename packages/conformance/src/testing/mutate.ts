import { parseJson } from '../exchange/parse-json.ts';

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
  readonly request: ProxiedRequest;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A fault: in the requests as received, or in the responses. */
export interface Mutation {
  readonly mutateRequest?: (
    proxiedRequest: ProxiedRequest,
  ) => Partial<Pick<ProxiedRequest, 'query' | 'body'>> | undefined;
  readonly mutateResponse?: (
    response: ProxiedResponse,
  ) => Partial<Pick<ProxiedResponse, 'status' | 'text' | 'headers'>> | undefined;
}

/** Wraps the `fetch` of a correct server so that it shows a fault. */
export function withMutation(
  fetch: typeof globalThis.fetch,
  { mutateRequest, mutateResponse }: Mutation,
): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(new Request(input).url);
    const proxiedRequest: ProxiedRequest = {
      method: init?.method ?? 'GET',
      path: url.pathname.replace(/^\/v1/, ''),
      query: url.searchParams,
      body: typeof init?.body === 'string' ? parseJson(init.body) : undefined,
    };
    const changedRequest = mutateRequest?.(proxiedRequest);
    if (changedRequest?.query) url.search = changedRequest.query.toString();
    const body = changedRequest && 'body' in changedRequest ? JSON.stringify(changedRequest.body) : init?.body;
    const response = await fetch(url, { ...init, ...(body !== undefined && { body }) });
    const { status, headers } = response;
    const bytes = await response.bytes();
    // Latin-1 preserves binary data.
    const isBinary = /^(?:video|image)\//.test(headers.get('content-type') ?? '');
    const text = new TextDecoder(isBinary ? 'latin1' : 'utf-8').decode(bytes);
    const result = {
      status,
      headers: new Headers(headers),
      text,
      ...mutateResponse?.({ request: proxiedRequest, status, headers, text }),
    };
    result.headers.delete('content-length');
    const content = isBinary ? Uint8Array.from(result.text, (one) => one.charCodeAt(0)) : result.text;
    return new Response(content, { status: result.status, headers: result.headers });
  };
}

export function withoutHeaders(headers: Headers, ...names: readonly string[]): Headers {
  const copy = new Headers(headers);
  for (const name of names) copy.delete(name);
  return copy;
}

export function withHeader(headers: Headers, name: string, value: string): Headers {
  const copy = new Headers(headers);
  copy.set(name, value);
  return copy;
}

export type Change = (key: string, value: unknown) => unknown;

/** Changes every value of JSON or of the events of a stream. Other text stays. */
export function mapJson(text: string, change: Change): string {
  if (/^(?:data|event|id): /.test(text))
    return text.replace(/^data: (\{.*)$/gm, (_, json: string) => `data: ${mapJson(json, change)}`);
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, change);
}

/** Replaces every scalar by one of another type, except under these keys. */
export function replaceScalars(text: string, exceptKeys: ReadonlySet<string>): string {
  return mapJson(text, (key, value) => {
    if (exceptKeys.has(key) || (typeof value === 'object' && value !== null)) return value;
    return typeof value === 'number' ? 'seven' : 7;
  });
}

/** Replaces every container by a string, except under these keys. */
export function replaceObjects(text: string, exceptKeys: ReadonlySet<string>): string {
  return mapJson(text, (key, value) =>
    key === '' || /^\d+$/.test(key) || exceptKeys.has(key) || typeof value !== 'object' || value === null
      ? value
      : 'a word',
  );
}
