import { InputError } from '../errors.ts';

export type HttpMethod = 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH';

/** An endpoint: a method, and a path relative to the base URL with `{name}` for each parameter. */
export interface Route {
  readonly method: HttpMethod;
  readonly path: string;
}

/** Values of a path's `{name}` parameters. */
export type PathParams = Readonly<Record<string, string>>;

export type QueryValue = string | number | boolean | null | undefined;

/** `undefined` and `null` are omitted. An inner record becomes `name[key]=value`, and a list `name[]=value`. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | Readonly<Record<string, QueryValue>>>>;

/** Parses a base URL. The error does not repeat the value, since it may contain a password. */
export function parseBaseURL(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new InputError('baseURL must be an http(s) URL.');
  if (url.username !== '' || url.password !== '') throw new InputError('baseURL has a password: use apiKey.');
  return url;
}

/** The absolute URL of a call. A parameter is always exactly one path segment. */
export function buildURL(base: URL, path: string, params: PathParams | undefined, query: Query | undefined): string {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, params?.[name]));
  const search = new URLSearchParams(base.search);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) add(`${name}[${Array.isArray(value) ? '' : key}]`, inner);
    } else add(name, value);
  }
  const text = search.toString();
  return `${base.origin}${base.pathname.replace(/\/+$/, '')}${target}${text === '' ? '' : `?${text}`}`;

  function add(name: string, value: QueryValue): void {
    if (value !== undefined && value !== null) search.append(name, String(value));
  }
}

function segment(name: string, value: unknown): string {
  try {
    // URL parsing resolves '.' and '..', and '' is the parent's path: each would reach another endpoint.
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value);
  } catch {
    // A lone surrogate cannot be encoded in a URL.
  }
  throw new InputError(`Invalid value of the path parameter ${name}.`, {
    param: name,
  });
}
