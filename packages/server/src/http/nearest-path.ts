import { nearest } from '@modelwire/schema/internal/nearest';

interface EndpointPath {
  readonly method: string;
  /** With the version's prefix, and parameters as `{name}`. */
  readonly path: string;
}

/** Finds the path that a client may have meant. Paths at which the method is allowed come first. */
export type SuggestPath = (method: string, path: string) => string | undefined;

/** No path of an endpoint is longer, with its IDs. */
const pathMax = 300;

/** Suggests paths of these endpoints: for misspelled ones, and for those with a missing or repeated `/v1`, or empty segments. */
export function createPathSuggestions(endpoints: readonly EndpointPath[]): SuggestPath {
  const known = endpoints.map(({ method, path }) => ({ method, segments: belowVersion(path) }));
  return (method, path) => {
    if (path.length > pathMax) return undefined;
    const wanted = belowVersion(path);
    const sameMethod = known.filter((each) => each.method === (method === 'HEAD' ? 'GET' : method));
    const suggestion = nearestPath(wanted, sameMethod) ?? nearestPath(wanted, known);
    const suggestedPath = suggestion && `/v1/${suggestion}`;
    return suggestedPath === path ? undefined : suggestedPath;
  };
}

/** The segments of a path without empty ones and without the version, also where it is missing or repeated. */
export function belowVersion(path: string): readonly string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const start = segments.findIndex((segment) => segment.toLowerCase() !== 'v1');
  return start === -1 ? [] : segments.slice(start);
}

function nearestPath(
  wanted: readonly string[],
  known: readonly { readonly segments: readonly string[] }[],
): string | undefined {
  const corrected = known.flatMap(({ segments }) => correct(wanted, segments) ?? []);
  const whole = wanted.join('/');
  const fixed = known.flatMap(({ segments }) => (segments.some(isParameter) ? [] : [segments.join('/')]));
  // `chatcompletions` is nearer to `chat/completions` than to `completions`.
  return nearest(whole, [...corrected, ...fixed]) ?? corrected[0];
}

/** The path with the fixed segments of a known one, if each of them is similar. Its parameters are kept. */
function correct(wanted: readonly string[], segments: readonly string[]): string | undefined {
  if (segments.length !== wanted.length) return undefined;
  const corrected: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const given = wanted[index] ?? '';
    const name = isParameter(segment) ? given : nearest(given, [segment]);
    if (name === undefined) return undefined;
    corrected.push(name);
  }
  return corrected.join('/');
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}
