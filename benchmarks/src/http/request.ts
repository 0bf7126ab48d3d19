import type { Contestant } from './contestants.ts';
import { apiKey, requestBody } from './payload.ts';
import type { Mode } from './payload.ts';
import type { Address } from './servers/server.ts';

/** The request of the load, without `content-length`. */
export interface Request {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function requestOf(
  { obfuscation = true }: Pick<Contestant, 'obfuscation'>,
  mode: Mode,
  { url, headers }: Address,
): Request {
  return {
    url,
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    body: requestBody(mode, { obfuscation }),
  };
}
