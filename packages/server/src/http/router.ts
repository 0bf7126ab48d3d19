import { TrieRouter } from 'hono/router/trie-router';
import type { HttpRequest } from '../call.ts';
import type { HttpResponse } from './reply.ts';

export type Handle = (incoming: HttpRequest) => Promise<HttpResponse>;

/** What handles a request, and the values of its path's parameters. */
export interface MatchedRoute {
  readonly handle: Handle;
  readonly params: Readonly<Record<string, string>>;
}

/** Every request has a route, if only to its error. `url`: a path with or without its query, or an absolute URL. */
type FindRoute = (method: string, url: string) => MatchedRoute;

interface RoutedPath {
  readonly path: string;
  readonly handle: Handle;
}

interface Routes {
  readonly endpoints: readonly (RoutedPath & { readonly method: string })[];
  /** For GET at paths that no endpoint has. A path may end in `*`. */
  readonly pages: readonly RoutedPath[];
  /** Handles a request to a path of endpoints that do not allow its method. */
  readonly notAllowed: (allowedMethods: readonly string[]) => Handle;
  /** Finds the route of a request to any other path. */
  readonly findOther: FindRoute;
}

/** Finds the route of a request by its method and path, with Hono's router. A HEAD request has the route of GET. */
export function createRouter({ endpoints, pages, notAllowed, findOther }: Routes): FindRoute {
  const router = new TrieRouter<Handle>();
  for (const { method, path, handle } of endpoints) router.add(method, honoPath(path), handle);
  const methods = Map.groupBy(endpoints, ({ path }) => path);
  // A path without parameters goes before one that it matches, such as `/responses/compact` and `/responses/{response_id}`.
  for (const [path, allowed] of [...methods].toSorted(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{'))))
    router.add('ALL', honoPath(path), notAllowed(allowed.map(({ method }) => method)));
  for (const { path, handle } of pages) router.add('GET', path, handle);
  return (method, url) => {
    const path = pathOf(url);
    if (!path.startsWith('/')) return findOther(method, path);
    const [[match], values] = router.match(method === 'HEAD' ? 'GET' : method, path);
    return match ? { handle: match[0], params: paramsOf(match[1], values) } : findOther(method, path);
  };
}

/** `{name}` as `:name`. Model IDs may contain slashes, so `model` matches the rest of the path. */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'model' ? ':model{.+}' : `:${name}`));
}

/** The router gives each parameter's value, or its index in `values`. */
function paramsOf(
  matched: Readonly<Record<string, string | number>>,
  values: readonly string[] | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(matched).map(([name, value]) => [name, decode(typeof value === 'number' ? values?.[value] : value)]),
  );
}

/** A malformed encoding is kept unchanged: no object has such an ID. */
function decode(segment = ''): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The path of a request, as it was sent: without normalization of `..` or encoded characters. */
export function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?]*/i, '').split('?')[0] ?? '';
  return path === '' ? '/' : path;
}
