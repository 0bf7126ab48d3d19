import { RequestError } from '@modelwire/ports';
import type { ServerSettings } from '../presets/settings.ts';

/**
 * What was checked has to be what leaves: a path or a query that a URL parser changes would reach another endpoint at some servers.
 *
 * @throws RequestError (400).
 */
export function assertUnambiguousPath(
  { origin, basePath }: Pick<ServerSettings, 'origin' | 'basePath'>,
  path: string,
): void {
  const sent = `${basePath}${path}`;
  // Spaces, control characters, and characters outside of ASCII cannot be sent; some servers take `\\` as `/`.
  if (/^[\x21-\x7e]*$/.test(path) && !/[#\\]/.test(path) && URL.canParse(origin + sent)) {
    const { pathname } = new URL(origin + sent);
    if (pathname === sent.split('?', 1)[0]) return;
  }
  throw new RequestError(
    'The path or the query of this request is ambiguous, so it is not forwarded. Encode its characters once.',
    {
      status: 400,
      code: 'invalid_value',
    },
  );
}
