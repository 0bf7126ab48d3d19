import type { ReplyHeaders } from '../exchange.ts';
import { containsSecret } from './secrets.ts';

/** Headers that a reply cannot be read without. */
const describesBody: ReadonlySet<string> = new Set(['content-type', 'content-length', 'content-encoding']);

/** Each header once, without those that contain a secret of the upstream. */
export function singleHeaders(headers: ReplyHeaders, secrets: readonly string[]): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'string' ? value : value.join(', ');
    return !describesBody.has(name) && containsSecret(text, secrets) ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}
