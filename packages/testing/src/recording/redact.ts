import { redacted } from '../server/requests.ts';
import type { Redact } from './message.ts';

/** Removes the API key and texts that look like keys, and then applies `more`. */
export function redacting(apiKey: string | undefined, more: Redact = (text) => text): Redact {
  const key = apiKey === '' ? undefined : apiKey;
  const withoutKey = (text: string): string => (key === undefined ? text : text.replaceAll(key, redacted));
  return (text) => more(withoutKey(text).replaceAll(/\b(?:sk|mw|pk|rk)-[\w-]{16,}/g, redacted));
}
