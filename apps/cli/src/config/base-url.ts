import { usageError } from '../cli-error.ts';

/** Returns the base URL. @throws CliError when it is not an HTTP URL or contains credentials. */
export function checkBaseURL(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw usageError(`Invalid base URL "${text}".`, 'Expected a URL such as https://models.example.com/v1');
  }
  const { username, password } = new URL(text);
  if (username !== '' || password !== '') {
    throw usageError(
      'The base URL must not contain credentials.',
      'Store the API key separately: modelwire config set api-key',
    );
  }
  return text;
}

/** A hint for a base URL whose path has no version, such as `/v1`; most servers respond with 404 then. */
export function missingVersionHint(baseURL: string): string | undefined {
  if (!URL.canParse(baseURL) || /\/v\d+(beta|alpha)?(\/|$)/.test(new URL(baseURL).pathname)) return undefined;
  return `The base URL has no version prefix. Try ${withVersion(baseURL)}`;
}

/** The base URL with `/v1` at the end of its path. */
export function withVersion(baseURL: string): string {
  const { origin, pathname } = new URL(baseURL);
  return `${origin}${pathname.replace(/\/+$/, '')}/v1`;
}
