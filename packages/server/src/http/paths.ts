import type { RequestAdapter, ResponseInit } from './adapters/request-adapter.ts';

type Handle = (incoming: RequestAdapter) => Promise<ResponseInit>;

/** An endpoint at a path, and the values of the path's parameters. */
export interface Found {
  readonly handle: Handle;
  readonly params: Readonly<Record<string, string>>;
}

export interface Paths {
  /** `path` as a request has it, without its query. A HEAD finds what a GET does. */
  readonly find: (method: string, path: string) => Found | undefined;
}

interface Pattern {
  /** A text that has to be there, or the parameter that takes its place. */
  readonly segments: readonly (string | { readonly name: string })[];
  readonly handle: Handle;
}

const none = {};

/** Finds endpoints by method and path: fixed paths in one look, the others segment by segment. */
export function createPaths(
  endpoints: readonly { readonly method: string; readonly path: string; readonly handle: Handle }[],
): Paths {
  const fixed = new Map<string, Found>();
  const patterns = new Map<string, Pattern[]>();
  for (const { method, path, handle } of endpoints) {
    if (!path.includes('{')) {
      fixed.set(`${method} ${path}`, { handle, params: none });
      continue;
    }
    // A model's id may hold slashes: its path is not made of segments.
    if (path.includes('{model}')) continue;
    const segments = path.split('/').map((segment) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      return name === undefined ? segment : { name };
    });
    const alike = `${method} ${segments.length}`;
    patterns.set(alike, [...(patterns.get(alike) ?? []), { segments, handle }]);
  }
  function find(method: string, path: string): Found | undefined {
    const known = fixed.get(`${method} ${path}`);
    if (known) return known;
    if (method === 'HEAD') return find('GET', path);
    const segments = path.split('/');
    for (const pattern of patterns.get(`${method} ${segments.length}`) ?? []) {
      const params = match(pattern, segments);
      if (params) return { handle: pattern.handle, params };
    }
    return undefined;
  }
  return { find };
}

function match(pattern: Pattern, segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.segments.entries()) {
    const segment = segments[index] ?? '';
    if (typeof expected === 'string') {
      if (segment !== expected) return undefined;
    } else if (segment === '') return undefined;
    else params[expected.name] = decoded(segment);
  }
  return params;
}

/** What is not encoded as it should be stands for itself: there is nothing of that name. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
