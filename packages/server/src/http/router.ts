import { RegExpRouter } from 'hono/router/reg-exp-router';
import { SmartRouter } from 'hono/router/smart-router';
import { TrieRouter } from 'hono/router/trie-router';
import type { RequestAdapter, ResponseInit } from './adapters/request-adapter.ts';

type Handle = (incoming: RequestAdapter) => Promise<ResponseInit>;

/** An endpoint at a path, and the values of the path's parameters. */
export interface MatchedRoute {
  readonly handle: Handle;
  readonly params: Readonly<Record<string, string>>;
}

export interface Router {
  /** `path` as a request has it, without its query. A HEAD request finds the endpoint of GET. */
  readonly find: (method: string, path: string) => MatchedRoute | undefined;
}

const noParams = {};

/**
 * Finds endpoints by method and path with Hono's router, for adapters that skip web-standard requests.
 *
 * @param findOther Finds the route of a request to none of the endpoints.
 */
export function createRouter(
  endpoints: readonly { readonly method: string; readonly path: string; readonly handle: Handle }[],
  findOther: Router['find'] = () => undefined,
): Router {
  const router = new SmartRouter<Handle>({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const { method, path, handle } of endpoints) router.add(method, honoPath(path), handle);
  // The router splits each path into segments; its results for paths without parameters are cached.
  const fixedPaths = new Set(endpoints.map(({ path }) => path).filter((path) => /^[\w/.-]+$/.test(path)));
  const cache = new Map<string, Map<string, MatchedRoute>>();
  return {
    find(method, path) {
      const routeMethod = method === 'HEAD' ? 'GET' : method;
      const cached = cache.get(path)?.get(routeMethod);
      if (cached) return cached;
      if (!path.startsWith('/')) return findOther(method, path);
      const [[match], values] = router.match(routeMethod, path);
      if (!match) return findOther(method, path);
      const route = { handle: match[0], params: paramsOf(match[1], values) };
      if (fixedPaths.has(path))
        cache.set(path, (cache.get(path) ?? new Map<string, MatchedRoute>()).set(routeMethod, route));
      return route;
    },
  };
}

/** `{name}` as `:name`. Model IDs may contain slashes, so `model` matches the rest of the path. */
export function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => (name === 'model' ? ':model{.+}' : `:${name}`));
}

/** The router gives each parameter's value, or its index in `values`. */
function paramsOf(
  matched: Readonly<Record<string, string | number>>,
  values: readonly string[] | undefined,
): Readonly<Record<string, string>> {
  const names = Object.keys(matched);
  if (names.length === 0) return noParams;
  return Object.fromEntries(
    names.map((name) => {
      const value = matched[name];
      return [name, decode(typeof value === 'number' ? values?.[value] : value)];
    }),
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
